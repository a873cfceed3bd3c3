// Reader and printer of CNM IR as text. Reading printed text yields the same kernel. Comments begin with ';'.
#pragma once

#include <string>
#include <string_view>

#include "io/error.h"
#include "model/cnm/ir.h"

namespace nestor::io {

Result<cnm::IrKernel> parse_cnm_ir(std::string_view text, const std::string& file);

std::string to_text(const cnm::IrKernel& kernel);

}  // namespace nestor::io

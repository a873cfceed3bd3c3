// Cost of the runtime functions that an assembly kernel calls. Private to io/cnm.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "model/cnm/program.h"
#include "model/cnm/system.h"

namespace nestor::io {

/// Returns the program item for a call of the system's function `name`, or the reason why its cost is
/// unknown. `bytes` is the number of bytes that the function processes, if known. `multiply_k` is the value
/// of k in costs such as "8 + k".
std::variant<cnm::Item, std::string> runtime_call(const std::string& name, std::optional<Int> bytes,
                                                  Int multiply_k, const cnm::System& system);

}  // namespace nestor::io

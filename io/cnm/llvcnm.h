// Reader and printer of llvcnm listings. Reading printed text yields the same listing. Comments begin with
// ';'.
#pragma once

#include <string>
#include <string_view>

#include "io/error.h"
#include "model/cnm/listing.h"

namespace nestor::io {

Result<cnm::Listing> parse_llvcnm(std::string_view text, const std::string& file);

std::string to_text(const cnm::Listing& listing);

}  // namespace nestor::io

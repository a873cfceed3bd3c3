// Reads the text of a result of the cim space.
#pragma once

#include <string>
#include <string_view>

#include "report/results/cim/result_file.h"

namespace nestor::tests {

inline io::Result<io::CimRun> parse_run(std::string_view text, const std::string& file) {
  const auto document = io::Document::parse(text, file, io::result_limits);
  if (!document) return document.error();
  return io::read_run(document->root());
}

}  // namespace nestor::tests

// Reader and printer of HBM-PIM's command streams in llvcnm: `rd` and `wr` access a number of bursts,
// starting at a given row and column, `fence` follows each group, and `loop x N { ... }` repeats its body.
// Rows and columns are linear in the loop variables i, j, ..., r.
#pragma once

#include <string>
#include <string_view>

#include "io/error.h"
#include "model/cnm/stream.h"

namespace nestor::io {

struct NamedStream {
  std::string name;
  cnm::Stream stream;
};

Result<NamedStream> parse_stream(std::string_view text, const std::string& file, const cnm::System& system);

std::string to_text(const NamedStream& stream, const cnm::System& system);

}  // namespace nestor::io

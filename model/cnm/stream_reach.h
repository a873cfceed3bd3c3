// Number of equal trips of a loop of a stream. Its accesses move on by their strides; as long as none
// of them comes to a row of registers or modes, and rows that move differently do not meet, one trip is as
// good as another. The channel's machine skips trips only inside such a stretch.
#pragma once

#include <span>

#include "model/cnm/stream_cursor.h"

namespace nestor::cnm {

/// Whether the row means something to the machine itself.
bool is_special_row(Int row);

struct OpenRow {
  Int bank = 0;
  Int row = 0;
};

/// From the trip that the loop at `depth` is in up to `until`: alike, or not to be skipped over.
struct Stretch {
  Int until = 0;
  bool alike = false;
};
/// `open`: rows that were not opened by the loop itself.
Stretch stretch_of(const StreamCursor& cursor, std::size_t depth, const PimUnits& pim,
                   std::span<const OpenRow> open);

}  // namespace nestor::cnm

// Search for stretches of equal trips of a loop in a stream. From trip to trip, the address of each access
// advances by its stride. Trips are equal as long as no access reaches a row of registers or modes, and rows
// with different strides do not meet. The channel's machine skips trips only inside such a stretch.
#pragma once

#include <span>

#include "model/cnm/stream_cursor.h"

namespace nestor::cnm {

/// True if the row addresses registers or modes of the machine.
bool is_special_row(Int row);

struct OpenRow {
  Int bank = 0;
  Int row = 0;
};

/// Trips of the loop from the current trip up to `until`. If `alike` is false, they must not be skipped.
struct Stretch {
  Int until = 0;
  bool alike = false;
};
/// Returns the current stretch of a loop. `open` lists the rows that the loop itself did not open.
Stretch stretch_of(const StreamCursor& cursor, std::size_t depth, const PimUnits& pim,
                   std::span<const OpenRow> open);

}  // namespace nestor::cnm

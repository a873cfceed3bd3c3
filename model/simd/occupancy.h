// Number of rows of each array that hold a value still to be read, over the course of a schedule: what
// reports draw. Read off the instructions alone.
#pragma once

#include <cstdint>
#include <vector>

#include "model/simd/schedule.h"

namespace nestor::simd {

struct Occupancy {
  std::vector<std::uint64_t> after;              ///< instructions done at each sample
  std::vector<std::vector<std::uint32_t>> rows;  ///< [array][sample], input rows left out
};

/// At most `samples` points in time, the start and the end among them.
Occupancy occupancy(const Schedule& schedule, std::size_t samples);

}  // namespace nestor::simd

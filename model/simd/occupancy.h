// Occupancy of arrays over the course of a schedule, for the charts of reports: the number of rows that hold
// a value still to be read. It is computed from the instructions alone.
#pragma once

#include <cstdint>
#include <vector>

#include "model/simd/schedule.h"

namespace nestor::simd {

struct Occupancy {
  std::vector<std::uint64_t> after;              ///< number of instructions executed at each sample
  std::vector<std::vector<std::uint32_t>> rows;  ///< number of rows by [array][sample], without input rows
};

/// Returns the occupancy at no more than `samples` points in time, including the start and the end.
Occupancy occupancy(const Schedule& schedule, std::size_t samples);

}  // namespace nestor::simd

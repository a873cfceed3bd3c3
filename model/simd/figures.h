// Figures of a schedule, for its result.
#pragma once

#include <cstdint>

#include "model/simd/energy.h"
#include "model/simd/netlist.h"
#include "model/simd/schedule.h"

namespace nestor::simd {

struct ScheduleFigures {
  std::uint64_t computes = 0;
  std::uint64_t copies = 0;         ///< number by (3.1)
  std::uint64_t arrays_passed = 0;  ///< number of arrays between source and target, summed over all copies
  std::uint64_t nodes = 0;          ///< number of gates of the netlist
  std::uint32_t arrays_used = 0;    ///< number of arrays that store an input or another value at some time
  std::uint32_t rows_used = 0;      ///< maximum number of rows of one array that store a value at some time

  double energy(const EnergyModel& model) const { return model.of(computes, copies, arrays_passed); }
};

/// Returns the figures of a valid schedule.
ScheduleFigures figures_of(const Schedule& schedule, const Netlist& netlist);

}  // namespace nestor::simd

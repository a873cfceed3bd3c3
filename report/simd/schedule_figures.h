// The part of a schedule's result that follows from the schedule and its netlist: written with the result,
// and worked out again to check one.
#pragma once

#include <string>

#include "io/files.h"
#include "model/simd/method.h"
#include "model/simd/second_reading/verify_schedule.h"
#include "model/simd/tech_map.h"

namespace nestor::report {

struct ScheduledNetlist {
  const simd::Netlist& netlist;  ///< as scheduled
  const simd::MapReport& mapping;
  std::string file;
};

io::Json netlist_json(const ScheduledNetlist& of);

/// Copies for each pair of arrays.
io::Json copies_by_pair(const simd::Schedule& schedule);

/// Machine, counts, energy, occupancy and how it was simulated, by their keys.
io::Json figures_json(const simd::Schedule& schedule, const simd::ScheduleFigures& figures,
                      const simd::EnergyModel& energy);

/// `totals`, with the keys of all spaces; a layer is a node here, and what is bounded are copies.
io::Json totals_json(const simd::ScheduleFigures& figures, const simd::EnergyModel& energy,
                     simd::ScheduleObjective objective, std::uint64_t least_copies);

}  // namespace nestor::report

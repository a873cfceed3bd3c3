// The part of a schedule's result that follows from the schedule and its netlist. It is written with a
// result, and computed again to check the result.
#pragma once

#include "io/files.h"
#include "model/simd/method.h"
#include "model/simd/second_reading/verify_schedule.h"
#include "model/simd/tech_map.h"
#include "report/results/result_head.h"

namespace nestor::report {

struct ScheduledNetlist {
  const simd::Netlist& netlist;  ///< the netlist as scheduled
  const simd::MapReport& mapping;
};

io::Json netlist_json(const ScheduledNetlist& of);

/// Returns the number of copies for each pair of arrays.
io::Json copies_by_pair(const simd::Schedule& schedule);

/// Returns machine, counts, energy, occupancy and the kind of simulation, by their keys.
io::Json figures_json(const simd::Schedule& schedule, const simd::ScheduleFigures& figures,
                      const simd::EnergyModel& energy);

/// Returns the objective with its value.
io::ResultObjective objective_of(simd::ScheduleObjective objective, const simd::ScheduleFigures& figures,
                                 const simd::EnergyModel& energy);

/// Returns `totals`, with the keys of the other spaces where they apply. `layers` and `mapped` count nodes,
/// and `lower_bound` bounds the number of copies.
io::Json totals_json(const simd::ScheduleFigures& figures, const simd::EnergyModel& energy,
                     simd::ScheduleObjective objective, std::uint64_t least_copies);

}  // namespace nestor::report

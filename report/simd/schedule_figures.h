// The parts of a schedule's result that follow from the schedule and its netlist.
#pragma once

#include "io/files.h"
#include "model/simd/figures.h"
#include "model/simd/method.h"
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

/// Returns machine, counts, energy and occupancy, by their keys.
io::Json figures_json(const simd::Schedule& schedule, const simd::ScheduleFigures& figures,
                      const simd::EnergyModel& energy);

/// Returns the objective with its value. `figures` has copies and energy.
io::ResultObjective objective_of(simd::ScheduleObjective objective, const io::Json& figures);

/// Returns `totals`, with the keys of the other spaces where they apply. `layers` and `mapped` count nodes,
/// and `lower_bound` bounds the number of copies.
io::Json totals_json(std::uint64_t nodes, const io::Json& figures, simd::ScheduleObjective objective,
                     std::uint64_t least_copies);

}  // namespace nestor::report

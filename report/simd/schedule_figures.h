// The parts of a schedule's result that follow from the schedule and its netlist.
#pragma once

#include <vector>

#include "io/fields.h"
#include "model/simd/figures.h"
#include "model/simd/method.h"
#include "model/simd/tech_map.h"
#include "report/results/result_head.h"

namespace nestor::report {

struct ScheduledNetlist {
  const simd::Netlist& netlist;  ///< the netlist as scheduled
  const simd::MapReport& mapping;
};
void describe_netlist(io::Fields& fields, const ScheduledNetlist& of);
io::Json netlist_json(const ScheduledNetlist& of);

/// Number of copies from one array to another.
struct CopiesOfPair {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::uint64_t copies = 0;
};
std::vector<CopiesOfPair> copies_by_pair(const simd::Schedule& schedule);
void describe_pairs(io::Fields& fields, const std::vector<CopiesOfPair>& pairs);

/// Machine, counts, energy and occupancy.
void describe_figures(io::Fields& fields, const simd::Schedule& schedule,
                      const simd::ScheduleFigures& figures, const simd::EnergyModel& energy);

io::ResultObjective objective_of(simd::ScheduleObjective objective, std::uint64_t copies, double energy);

/// The keys of `totals` in the other spaces, where they apply. `layers` and `mapped` count nodes, and
/// `lower_bound` bounds the number of copies.
struct ScheduleTotals {
  std::uint64_t nodes = 0;
  std::uint64_t copies = 0;
  double energy = 0;
  simd::ScheduleObjective objective = simd::ScheduleObjective::copies;
  std::uint64_t least_copies = 0;
};
void describe_schedule_totals(io::Fields& fields, const ScheduleTotals& totals);

}  // namespace nestor::report

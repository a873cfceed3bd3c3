// A function that runs the exact search for schedules without the heuristics and bounds that normally precede
// it.
#pragma once

#include <gtest/gtest.h>

#include <optional>

#include "model/simd/search/schedule_space.h"
#include "report/simd/schedule_contract.h"
#include "solver/engine/engine.h"

namespace nestor::simd {

/// Returns the fewest copies below `below`; nullopt if the search finds no such schedule. Runs only the
/// search, because an optimal heuristic schedule would hide faults of the search. `needs` limits the backward
/// search and `cases` the bound on loads; 0 disables them.
inline std::optional<std::uint32_t> searched(const Netlist& netlist, std::uint32_t rows, std::uint32_t arrays,
                                             std::uint32_t below, std::size_t needs = 0,
                                             SearchCounts* counts = nullptr, std::size_t cases = 0) {
  const ScheduleProblem problem(netlist, rows, arrays);
  auto branch = ExactBranch::make(problem, below);
  if (cases != 0) branch.value().count_loads(below, cases);
  if (needs != 0) branch.value().enable_backward_search(below, needs);
  ScheduleSpace<HostStorage> space(branch.value());
  MemoryBudget memory(std::size_t{1} << 32U);
  StopSource stop;
  const auto executor = make_executor(ExecutorKind::serial, 1);
  Engine<ScheduleSpace<HostStorage>> engine(space, *executor, memory, {}, stop);
  const auto outcome = engine.run({{static_cast<double>(below), 1, {}}});
  EXPECT_EQ(outcome.status, Status::optimal);
  if (counts != nullptr) *counts = outcome.counts;
  if (outcome.best.front().cost >= below) return std::nullopt;
  const auto schedule = branch->schedule(netlist, outcome.best.front().solution);
  const auto contract = report::contract_of(schedule, netlist, netlist);
  EXPECT_EQ(contract.fault, "");
  EXPECT_EQ(contract.figures["copies"], outcome.best.front().cost);
  return contract.figures["copies"].get<std::uint32_t>();
}

}  // namespace nestor::simd

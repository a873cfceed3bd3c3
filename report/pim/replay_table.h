// Table of `simulate` for mappings onto a PIM machine: the replay of each mapping, next to the model's
// figures.
#pragma once

#include <string>

#include "report/results/pim/result_file.h"
#include "report/tables/table.h"
#include "sim/pim/replay.h"

namespace nestor::report {

/// Returns the steps and accesses of a replay, as `simulate` writes them.
io::Json replay_json(const sim::pim::Replay& replay, const io::pim::NamedPimMachine& machine);

class ReplayTable {
 public:
  explicit ReplayTable(const io::pim::PimRun& run);

  /// Adds a layer that is already evaluated. Its record receives the figures of the replay.
  void add(io::pim::PimRecord& record, const sim::pim::Replay& replay);
  /// Returns the table with its totals.
  std::string text();

 private:
  struct Figures {
    Int steps = 0;
    Int accesses = 0;
    Int rows = 0;
    Int cycles = 0;
    Int model = 0;
    double energy_pj = 0;
  };
  void add_row(const std::string& name, const std::string& repeat, const Figures& row);

  const io::pim::PimRun& run_;
  io::Table table_;
  Figures totals_;  // totals including repeats
};

}  // namespace nestor::report

// Output of `simulate` for kernels: the replay of whole programs next to their estimates, one row for each
// map.
#pragma once

#include <string>
#include <vector>

#include "report/cnm/kernel_record.h"
#include "report/tables/table.h"

namespace nestor::report {

/// A unit simulated to its end, slot by slot or command by command.
struct Replay {
  UnitReplay unit;
  std::string fault;  ///< reason for a missing replay
};
Replay replay(const UnitProgram& unit, const cnm::System& system);

class ReplayRun {
 public:
  explicit ReplayRun(const KernelWork& work);

  /// Adds a task. `units` has one entry for each map of the estimate.
  void add(const KernelTask& task, const cnm::KernelEstimate& estimate, const std::vector<UnitReplay>& units);
  void add_unmapped(const KernelTask& task);

  const std::vector<KernelRecord>& records() const { return records_; }
  std::string text() const;

 private:
  const KernelWork& work_;
  std::vector<KernelRecord> records_;
  io::Table maps_;
};

}  // namespace nestor::report

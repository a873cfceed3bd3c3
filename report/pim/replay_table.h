// What `simulate` says of mappings onto a PIM machine: the walk of each beside what the model says.
#pragma once

#include <string>

#include "report/results/pim/result_file.h"
#include "report/tables/table.h"
#include "sim/pim/replay.h"

namespace nestor::report {

class ReplayTable {
 public:
  explicit ReplayTable(const io::pim::RunRecord& run);

  /// Of a layer that is evaluated already; its record gets the figures of the walk.
  void add(io::pim::LayerRecord& record, const sim::pim::Replay& replay);
  std::string text() const;

 private:
  const io::pim::RunRecord& run_;
  io::Table table_;
};

}  // namespace nestor::report

// Output of `estimate` and `evaluate` for kernels: a table row and a JSON entry for each kernel.
#pragma once

#include <string>
#include <vector>

#include "io/files.h"
#include "report/cnm/kernel_work.h"
#include "report/tables/table.h"

namespace nestor::report {

class EstimateRun {
 public:
  explicit EstimateRun(const KernelWork& work);

  void add(const KernelTask& task, const cnm::KernelEstimate& estimate);
  /// Adds a kernel without a mapping.
  void add_unmapped(const KernelTask& task);

  const std::vector<io::Json>& entries() const { return entries_; }
  /// Returns the layers of a network with their total, or the maps of one kernel with notes and warnings.
  std::string text() const;

 private:
  const KernelWork& work_;
  std::vector<io::Json> entries_;
  io::Table layers_;
  double total_ms_ = 0;
  std::vector<bool> is_mapped_;  ///< true for each mapped task
  std::string maps_;             // maps of a single kernel
};

/// Adds time, cycles and note of an estimate, which are part of every entry.
void add_figures(io::Json& entry, const cnm::KernelEstimate& estimate);

/// Returns an entry without a mapping.
io::Json unmapped_json(const KernelTask& task, const cnm::System& system);

}  // namespace nestor::report

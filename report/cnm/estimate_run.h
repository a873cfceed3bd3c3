// Output of `estimate` and `evaluate` for kernels: a table row and a record for each kernel.
#pragma once

#include <string>
#include <vector>

#include "report/cnm/kernel_record.h"
#include "report/tables/table.h"

namespace nestor::report {

class EstimateRun {
 public:
  explicit EstimateRun(const KernelWork& work);

  void add(const KernelTask& task, const cnm::KernelEstimate& estimate);
  /// Adds a kernel without a mapping.
  void add_unmapped(const KernelTask& task);

  const std::vector<KernelRecord>& records() const { return records_; }
  /// Returns the layers of a network with their total, or the maps of one kernel with notes and warnings.
  std::string text() const;

 private:
  const KernelWork& work_;
  std::vector<KernelRecord> records_;
  io::Table layers_;
  double total_ms_ = 0;
  std::vector<bool> is_mapped_;  ///< true for each mapped task
  std::string maps_;             // maps of a single kernel
};

}  // namespace nestor::report

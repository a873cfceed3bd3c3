// Results of the cnm space as JSON: the head, the system, and the record of each kernel with totals.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "io/options.h"
#include "report/cnm/kernel_record.h"
#include "report/results/result_head.h"

namespace nestor::report {

/// Returns the head of a result. The inputs are the architectures, and the other inputs of the run with the
/// role `role`. Only `map` has an objective.
io::ResultHead cnm_head(io::Verb verb, const io::RunOptions& options, std::string_view role);
void describe_cnm_head(io::Fields& fields, io::ResultHead& head);

/// Returns a whole result: the head, then the record of each task. The records of a network are its layers.
io::Json result_json(io::Verb verb, const KernelWork& work, const io::RunOptions& options,
                     const std::vector<KernelRecord>& records);
io::Json cnm_result_schema();

struct Totals {
  NetworkWork share;
  bool is_network = false;
  double time_ms = 0;
  std::optional<double> bound_ms{};  ///< present if a search mapped every layer
};

/// Totals of a network or of one kernel, from its tasks: times and bounds, each multiplied by the repeats of
/// its task.
class TimeTotals {
 public:
  explicit TimeTotals(const KernelWork& work) : work_(work) {}
  /// Adds the next task. `bound_ms` has a value if the task was searched.
  void add(std::optional<double> time_ms, std::optional<double> bound_ms);
  Totals sum() const;
  io::Json json() const;

 private:
  const KernelWork& work_;
  std::vector<bool> mapped_;
  double time_ms_ = 0;
  double bound_ms_ = 0;
  bool all_bounds_ = true;
};

}  // namespace nestor::report

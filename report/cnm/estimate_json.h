// Estimates as JSON and tables, alike in every verb of the cnm space.
#pragma once

#include <string>

#include "io/files.h"
#include "io/options.h"
#include "report/cnm/kernel_work.h"

namespace nestor::report {

/// The keys of a map on HBM-PIM that are given.
void add_pim_keys(io::Json& json, const cnm::PimKeys& keys);

/// One map's figures. A kernel that comes without a mapping has tuples of its units, no block and no order.
io::Json map_json(const cnm::CnmMap& map, const cnm::MapEstimate& estimate, const cnm::System& system);

/// The maps of an estimate as every result has them.
io::Json maps_json(const cnm::KernelEstimate& estimate, const cnm::System& system);

/// A kernel lowered as far as asked, "nestor.kernel/1".
io::Json kernel_text_json(const std::string& kernel, const std::string& text);

/// The file's tree again: every path split at its dots.
io::Json system_json(const cnm::System& system);

/// The head that every result of the space has.
io::Json head_json(io::Verb verb, const KernelWork& work, const io::RunOptions& options);

/// A whole result: the head, then what is said of each task (of a network, as its layers with totals).
io::Json result_json(io::Verb verb, const KernelWork& work, const io::RunOptions& options,
                     const std::vector<io::Json>& entries);

/// "1.2345 ms", "2.345 s".
std::string ms_text(double ms);

/// Of a network or of one kernel, from what is said of each task: times and bounds, each as often as it runs.
class TimeTotals {
 public:
  explicit TimeTotals(const KernelWork& work) : work_(work) {}
  /// Of the next task; `bound_ms` where it was searched.
  void add(std::optional<double> time_ms, std::optional<double> bound_ms);
  io::Json json() const;

 private:
  const KernelWork& work_;
  std::vector<bool> mapped_;
  double time_ms_ = 0;
  double bound_ms_ = 0;
  bool all_bounds_ = true;
};

/// A line a map, in the short form that --mapping takes.
std::string mapping_lines(const cnm::CnmMapping& mapping);
/// The layers that are not mapped, a line each.
std::string left_out_text(const KernelWork& work);

/// A row for each map.
std::string estimate_table_text(const cnm::KernelEstimate& estimate);

}  // namespace nestor::report

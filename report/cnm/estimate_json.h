// Estimates as JSON and tables, in the same form for every verb of the cnm space.
#pragma once

#include <string>

#include "io/files.h"
#include "io/options.h"
#include "report/cnm/kernel_work.h"

namespace nestor::report {

/// Adds the keys that a map on HBM-PIM sets.
void add_pim_keys(io::Json& json, const cnm::PimKeys& keys);

/// Returns the figures of one map. For a kernel without a mapping, the tuples state only its units, and block
/// and order are empty.
io::Json map_json(const cnm::CnmMap& map, const cnm::MapEstimate& estimate, const cnm::System& system);

/// Returns the maps of an estimate in the form that all results use.
io::Json maps_json(const cnm::KernelEstimate& estimate, const cnm::System& system);

/// Returns a kernel lowered to the requested form, as "nestor.kernel/1".
io::Json kernel_text_json(const std::string& kernel, const std::string& text);

/// Returns the head of a result. The inputs are the architectures, and the other inputs of the run with the
/// role `role`. Only `map` has an objective.
io::Json cnm_head_json(io::Verb verb, const io::RunOptions& options, std::string_view role);

/// Returns a whole result: the head, then the entry of each task. The entries of a network are its layers,
/// with totals.
io::Json result_json(io::Verb verb, const KernelWork& work, const io::RunOptions& options,
                     const std::vector<io::Json>& entries);

/// Formats a time as in "1.2345 ms" or "2.345 s".
std::string ms_text(double ms);

/// Totals of a network or of one kernel, from its tasks: times and bounds, each multiplied by the repeats of
/// its task.
class TimeTotals {
 public:
  explicit TimeTotals(const KernelWork& work) : work_(work) {}
  /// Adds the next task. `bound_ms` has a value if the task was searched.
  void add(std::optional<double> time_ms, std::optional<double> bound_ms);
  io::Json json() const;

 private:
  const KernelWork& work_;
  std::vector<bool> mapped_;
  double time_ms_ = 0;
  double bound_ms_ = 0;
  bool all_bounds_ = true;
};

/// Returns one line per map, in the short form that --mapping accepts.
std::string mapping_lines(const cnm::CnmMapping& mapping);
/// Returns one line for each layer that is not mapped.
std::string left_out_text(const KernelWork& work);

/// Returns a table with one row for each map.
std::string estimate_table_text(const cnm::KernelEstimate& estimate);

}  // namespace nestor::report

#include "report/cnm/estimate_run.h"

#include <fmt/format.h>

#include "report/cnm/estimate_text.h"
#include "report/tables/units.h"

namespace nestor::report {

EstimateRun::EstimateRun(const KernelWork& work)
    : work_(work), layers_({{"layer", io::Align::left}, {"repeat"}, {"cycles"}, {"time"}, {"all repeats"}}) {}

void EstimateRun::add(const KernelTask& task, const cnm::KernelEstimate& estimate) {
  const double all = static_cast<double>(task.repeat) * estimate.time_ms;
  total_ms_ += all;
  is_mapped_.push_back(true);
  layers_.add_row({task.name, fmt::format("{}", task.repeat), io::rounded_text(estimate.cycles),
                   ms_text(estimate.time_ms), ms_text(all)});
  records_.push_back(estimated_record(task, estimate, work_.system));
  if (!work_.network.empty()) return;
  maps_ = estimate_table_text(estimate);
  if (!estimate.note.empty()) maps_ += estimate.note + "\n";
  for (const auto& warning : task.input.warnings) maps_ += warning + "\n";
}

void EstimateRun::add_unmapped(const KernelTask& task) {
  is_mapped_.push_back(false);
  layers_.add_row({task.name, fmt::format("{}", task.repeat), "no mapping"});
  records_.push_back(unmapped_record(task, work_.system));
}

std::string EstimateRun::text() const {
  if (work_.network.empty()) return maps_;
  return fmt::format("{} on {}\n\n{}time {} ({})\n{}", work_.network, work_.system.name, layers_.to_string(),
                     ms_text(total_ms_), share_text(work_of_network(work_, is_mapped_)),
                     left_out_text(work_));
}

}  // namespace nestor::report

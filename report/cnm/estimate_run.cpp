#include "report/cnm/estimate_run.h"

#include <fmt/format.h>

#include "report/cnm/estimate_json.h"
#include "report/cnm/kernel_source.h"
#include "report/keys/cnm.h"
#include "report/keys/common.h"
#include "report/tables/units.h"

namespace nestor::report {

void add_figures(io::Json& entry, const cnm::KernelEstimate& estimate) {
  entry[key::time_ms] = estimate.time_ms;
  entry[key::cycles] = estimate.cycles;
  if (!estimate.note.empty()) entry[key::note] = estimate.note;
}

io::Json unmapped_json(const KernelTask& task, const cnm::System& system) {
  return {{key::source, source_json(task.input, system)}, {key::maps, io::Json::array()}};
}

EstimateRun::EstimateRun(const KernelWork& work)
    : work_(work), layers_({{"layer", io::Align::left}, {"repeat"}, {"cycles"}, {"time"}, {"all repeats"}}) {}

void EstimateRun::add(const KernelTask& task, const cnm::KernelEstimate& estimate) {
  const double all = static_cast<double>(task.repeat) * estimate.time_ms;
  total_ms_ += all;
  is_mapped_.push_back(true);
  layers_.add_row({task.name, fmt::format("{}", task.repeat), io::rounded_text(estimate.cycles),
                   ms_text(estimate.time_ms), ms_text(all)});
  io::Json entry = {{key::source, source_json(task.input, work_.system)}};
  add_figures(entry, estimate);
  entry[key::maps] = maps_json(estimate, work_.system);
  entries_.push_back(std::move(entry));
  if (!work_.network.empty()) return;
  maps_ = estimate_table_text(estimate);
  if (!estimate.note.empty()) maps_ += estimate.note + "\n";
  for (const auto& warning : task.input.warnings) maps_ += warning + "\n";
}

void EstimateRun::add_unmapped(const KernelTask& task) {
  is_mapped_.push_back(false);
  layers_.add_row({task.name, fmt::format("{}", task.repeat), "no mapping"});
  entries_.push_back(unmapped_json(task, work_.system));
}

std::string EstimateRun::text() const {
  if (work_.network.empty()) return maps_;
  return fmt::format("{} on {}\n\n{}time {} ({})\n{}", work_.network, work_.system.name, layers_.to_string(),
                     ms_text(total_ms_), share_text(work_of_network(work_, is_mapped_)),
                     left_out_text(work_));
}

}  // namespace nestor::report

#include "report/cnm/kernel_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/checked.h"
#include "model/cnm/estimate/pim_kernel.h"

namespace nestor::report {

NetworkWork work_of_network(const KernelWork& work, const std::vector<bool>& mapped) {
  NetworkWork share;
  // A sum that overflows is set to the largest value.
  const auto add = [](Int& sum, Int macs) {
    sum = checked_add(sum, macs).value_or(std::numeric_limits<Int>::max());
  };
  share.layers = static_cast<Int>(work.tasks.size());
  for (const LeftOutLayer& layer : work.left_out) {
    add(share.macs, layer.macs);
    share.layers += layer.macs > 0 ? 1 : 0;
  }
  for (std::size_t i = 0; i < work.tasks.size(); ++i) {
    add(share.macs, work.tasks[i].macs);
    if (!mapped[i]) continue;
    add(share.mapped_macs, work.tasks[i].macs);
    ++share.mapped_layers;
  }
  return share;
}

std::string share_text(const NetworkWork& share) {
  const double part =
      share.macs > 0 ? 100.0 * static_cast<double>(share.mapped_macs) / static_cast<double>(share.macs) : 0.0;
  return fmt::format("{} of {} layers, {:.1f} % of the multiplications", share.mapped_layers, share.layers,
                     part);
}

std::vector<UnitProgram> unit_programs(const KernelTask& task, const cnm::System& system) {
  std::vector<UnitProgram> units;
  const auto of_listing = [&](const cnm::Listing& listing, Int tasklets) {
    auto program = cnm::program_of(listing, system);
    units.push_back({std::move(program.program), tasklets, {}, std::move(program.error)});
  };
  const KernelInput& input = task.input;
  if (input.program) units.push_back({input.program, input.tasklets, {}, {}});
  if (input.listing) of_listing(*input.listing, input.tasklets);
  if (input.stream) units.push_back({{}, 1, input.stream, {}});
  if (!input.kernel) return units;
  for (const std::size_t i : cnm::execution_order(task.mapping)) {
    if (system.target == cnm::Target::hbm_pim) {
      auto work = cnm::channel_work(*input.kernel, task.mapping[i], task.mapping.size() == 1, system);
      units.push_back({{}, 1, std::move(work.stream), std::move(work.refusal)});
      continue;
    }
    const auto library = shipped_library();
    const auto map = cnm::complete(task.mapping[i], *input.kernel, system, library);
    const auto listing = cnm::listing_of(*input.kernel, map, system, library);
    if (listing.fault.empty())
      of_listing(listing.listing, cnm::tasklets_of(map));
    else
      units.push_back({{}, 1, {}, listing.fault});
  }
  return units;
}

TaskEstimate estimate_task(const KernelTask& task, const cnm::System& system) {
  const KernelInput& input = task.input;
  if (input.kernel)
    return {cnm::estimate_kernel(*input.kernel, task.mapping, system, shipped_library()), 0, 0};
  auto outcome = input.program   ? cnm::estimate_known_program(system, *input.program, input.tasklets, {})
                 : input.listing ? cnm::estimate_listing(system, *input.listing, input.tasklets)
                                 : cnm::estimate_stream(system, *input.stream);
  TaskEstimate result;
  if (!outcome.estimate) {
    result.estimate.refusal = outcome.refusal;
    result.line = outcome.line;
    result.column = outcome.column;
    return result;
  }
  cnm::CnmMap one;
  one.tuples.assign(system.levels.size(), {1});
  if (system.target == cnm::Target::upmem) one.tuples.back() = {input.tasklets};
  result.estimate.time_ms = outcome.estimate->time_ms;
  result.estimate.cycles = outcome.estimate->cycles;
  result.estimate.maps.push_back({std::move(one), std::move(*outcome.estimate)});
  return result;
}

}  // namespace nestor::report

#include "report/cnm/kernel_work.h"

#include "io/cnm/kernel_template.h"
#include "mapper/cnm/pim_kernel.h"

namespace nestor::report {

cnm::Library shipped_library() {
  return [](const cnm::LibraryRequest& request) -> std::optional<cnm::Listing> {
    const auto listing = io::built_in_kernel(
        request.name, {request.type, request.tasklets, request.iterations, 0, request.buffer_elems});
    if (!listing) return std::nullopt;
    return *listing;
  };
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
      const auto plan = cnm::plan_channels(*input.kernel, task.mapping[i].tuples[0], system);
      units.push_back(
          {{}, 1, plan.plan ? cnm::stream_of(plan.plan->kernel, system) : std::nullopt, plan.refusal});
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

}  // namespace nestor::report

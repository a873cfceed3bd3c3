#include "app/cnm/offload.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cnm/program_input.h"
#include "app/console.h"
#include "app/interrupt.h"
#include "app/output.h"
#include "io/cnm/kernel_template.h"
#include "io/cnm/system_file.h"
#include "mapper/cnm/map_network.h"
#include "mapper/cnm/offload_forms.h"
#include "model/cnm/host_time.h"
#include "report/cnm/offload.h"
#include "solver/engine/executor.h"

namespace nestor::app::cnm_space {
namespace {

// A found mapping and its kernel.
struct FoundMapping {
  cnm::Kernel kernel;
  cnm::CnmMapping mapping;
};

struct Timing {
  cnm::KernelProgram bounded;          ///< the program with lower bounds instead of times
  std::vector<std::string> left_open;  ///< names of the searches that a limit stopped
  Status stopped = Status::optimal;    ///< the limit that stopped them
  std::vector<std::vector<std::optional<FoundMapping>>> mappings;  ///< indexed by system, then by operation
};

// Maps the operations that a system can run, and adds to the program their times and the forms in which the
// system stores their values.
void map_operations(cnm::KernelProgram& program, const cnm::System& system, const io::RunOptions& options,
                    const cnm::MapRequest& request, Timing& timing) {
  auto& mappings = timing.mappings.back();
  std::vector<cnm::Kernel> kernels;
  std::vector<std::size_t> places;
  std::vector<std::optional<cnm::ConvolutionProduct>> products;
  for (std::size_t i = 0; i < program.operations.size(); ++i)
    if (program.operations[i].kernel && !program.operations[i].time_ms.contains(system.name)) {
      auto [kernel, product] = kernel_on(program.operations[i], system, options);
      kernels.push_back(std::move(kernel));
      products.push_back(std::move(product));
      places.push_back(i);
    }
  const auto alike = cnm::first_alike(kernels);
  std::vector<std::size_t> distinct;
  for (std::size_t k = 0; k < kernels.size(); ++k)
    if (alike[k] == k) distinct.push_back(k);
  // A search on HBM-PIM uses one thread. On UPMEM, the search itself uses all threads.
  const auto executor =
      make_executor(request.executor, system.target == cnm::Target::hbm_pim ? request.threads : 1);
  std::vector<cnm::MapResult> results(kernels.size());
  executor->run(distinct.size(), [&](std::size_t n) {
    auto own = request;
    const double left = std::max(0.0, options.run_time_limit - seconds_since(program_start()));
    own.time_limit = std::min(left, options.layer_time_limit);
    results[distinct[n]] = cnm::map_kernel(kernels[distinct[n]], system, report::shipped_library(), own);
  });
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    const cnm::MapResult& result = results[alike[k]];
    cnm::ProgramOperation& operation = program.operations[places[k]];
    if (result.refusal.empty() && result.status != Status::optimal) {
      timing.left_open.push_back(fmt::format("{} on {}", operation.name, system.name));
      timing.stopped = result.status;
    }
    const bool found = !result.mapping.empty() && result.time_ms > 0;
    if (result.refusal.empty())
      timing.bounded.operations[places[k]].time_ms[system.name] =
          result.status == Status::optimal ? result.time_ms
          : found                          ? std::min(result.time_ms, result.bound_ms)
                                           : result.bound_ms;
    if (!found) continue;
    operation.time_ms[system.name] = result.time_ms;
    cnm::set_forms(program, operation, products[k], result.kernel, result.mapping, system);
    mappings[places[k]] = {result.kernel, result.mapping};
  }
}

Timing time_operations(cnm::KernelProgram& program, const std::vector<cnm::System>& systems,
                       const io::RunOptions& options, const cnm::MapRequest& request) {
  Timing timing{program, {}, Status::optimal, {}};
  for (std::size_t s = 0; s < systems.size(); ++s) {
    const auto& name = systems[s].name;
    timing.mappings.emplace_back(program.operations.size());
    for (std::size_t i = 0; i < program.operations.size(); ++i) {
      auto& operation = program.operations[i];
      if (systems[s].target == cnm::Target::host && (operation.kernel || !operation.host.empty()) &&
          !operation.time_ms.contains(name))
        timing.bounded.operations[i].time_ms[name] = operation.time_ms[name] =
            cnm::host_time_ms(program, operation, systems[s]);
    }
    if (systems[s].target != cnm::Target::host) map_operations(program, systems[s], options, request, timing);
  }
  return timing;
}

// Adds to `run` the mapping that was found for every operation on the system of its placement, if any.
void add_mappings(Timing& timing, report::OffloadRun& run) {
  for (std::size_t i = 0; i < run.result.placement.size(); ++i) {
    const std::size_t s = run.result.placement[i];
    auto& found = timing.mappings[s][i];
    if (!found) continue;
    run.kernels.push_back(report::placed_kernel(run, s, run.problem.program.operations[i].name,
                                                std::move(found->kernel), std::move(found->mapping)));
  }
}

}  // namespace

bool is_placement(const io::RunOptions& options) {
  if (options.arch.find(',') != std::string::npos) return true;
  const auto system = io::read_cnm_system(options.arch, {});
  return (system && system->target == cnm::Target::host) || is_program(options);
}

io::Result<ExitStatus> place(const io::RunOptions& options, const cnm::MapRequest& request) {
  for (const std::string_view word : {"proof", "all", "top", "explain"})
    if (options.is_given(word))
      return io::usage_error(fmt::format("--{} requires one kernel on one system, not a placement", word));
  if (!options.data_type.empty())
    if (const auto type = io::data_type_named(options.data_type); !type)
      return io::usage_error("--dtype: " + type.error().message);
  auto systems = read_systems(options);
  if (!systems) return systems.error();
  auto program = read_program(options);
  if (!program) return program.error();
  if (auto error = read_times(options, *systems, *program)) return *error;
  auto timing = time_operations(*program, *systems, options, request);
  report::OffloadRun run;
  run.problem.program = std::move(*program);
  for (const auto& system : *systems)
    run.problem.systems.push_back({system.name, system.target == cnm::Target::host, system.link});
  run.systems = std::move(*systems);
  run.problem.weights = options.weights;
  run.problem.transfers = options.transfers.value_or(run.systems.size() == 1 ? cnm::CountedTransfers::inner
                                                                             : cnm::CountedTransfers::all);
  if (auto fault = cnm::find_fault(run.problem); !fault.empty())
    return io::input_error({options.inputs.front()}, fault);
  StopSource stop(deadline_after(std::max(0.0, options.run_time_limit - seconds_since(program_start()))));
  stop.watch(request.interrupted);
  run.result = cnm::place_operations(run.problem, stop);
  run.left_open = timing.left_open;
  if (!run.left_open.empty() && run.result.status == Status::optimal) {
    // Better mappings may store values in other forms, so the bound cannot include transfers.
    auto bounded = run.problem;
    bounded.program = std::move(timing.bounded);
    bounded.transfers = cnm::CountedTransfers::none;
    run.result.bound_ps = std::min(run.result.cost.time_ps, cnm::place_operations(bounded, stop).bound_ps);
    run.result.status = timing.stopped;
  }
  add_mappings(timing, run);
  if (prints_tables(options)) print_text(report::offload_text(run));
  Outputs outputs;
  outputs.add(write_json_output(options, report::offload_json(run, options)));
  if (run.result.status != Status::optimal) return outputs.end(limited_by(to_string(run.result.status)));
  return outputs.end(ExitStatus::solved);
}

}  // namespace nestor::app::cnm_space

#include "app/cnm/program_estimate.h"

#include <fmt/format.h>

#include "app/cnm/cnm.h"
#include "app/cnm/kernel_input.h"
#include "app/cnm/program_input.h"
#include "app/console.h"
#include "app/output.h"
#include "base/tables/hash_table.h"
#include "io/cnm/mapping_file.h"
#include "mapper/cnm/offload_forms.h"
#include "report/cnm/offload.h"

namespace nestor::app::cnm_space {
namespace {

using MappingsByName = HashMap<std::string, io::OperationMapping>;

io::Error no_operation(const io::OperationMapping& entry, const cnm::KernelProgram& program) {
  std::vector<std::string_view> names;
  for (const auto& operation : program.operations) names.push_back(operation.name);
  return io::input_error(entry.where,
                         fmt::format("no operation {} in the program{}", io::quote(entry.operation),
                                     io::suggestion(entry.operation, names)));
}

// Returns the mappings of --mapping that apply to the system, by operation.
io::Result<MappingsByName> mappings_for(const io::RunOptions& options, const cnm::KernelProgram& program,
                                        const cnm::System& system) {
  MappingsByName mappings;
  if (options.mapping.empty()) return mappings;
  auto entries = io::read_operation_mappings(options.mapping);
  if (!entries) return entries.error();
  for (auto& entry : *entries) {
    const auto is_named = [&](const auto& operation) { return operation.name == entry.operation; };
    if (std::none_of(program.operations.begin(), program.operations.end(), is_named))
      return no_operation(entry, program);
    if (!entry.system.empty() && entry.system != system.name) continue;
    const auto name = entry.operation;
    const auto where = entry.where;
    if (!mappings.emplace(name, std::move(entry)).second)
      return io::input_error(where, fmt::format("a second mapping of {}", io::quote(name)));
  }
  return mappings;
}

// Adds the estimate of an operation that has no given time. The run has one system.
io::MaybeError add_estimate(const io::RunOptions& options, const MappingsByName& mappings,
                            const cnm::KernelProgram& program, cnm::ProgramOperation& operation,
                            report::OffloadRun& run) {
  const auto& file = options.inputs.front();
  const cnm::System& system = run.systems.front();
  if (!operation.kernel)
    return io::input_error({file},
                           fmt::format("{} does not run on '{}': place the program with map --arch {},host",
                                       io::quote(operation.name), system.name, system.name));
  auto [kernel, product] = kernel_on(operation, system, options);
  cnm::CnmMapping mapping;
  io::SourceLocation where{file};
  if (options.mapping.empty()) {
    auto single = read_mapping(options, kernel, system);
    if (!single) return single.error();
    mapping = std::move(*single);
  } else {
    const auto entry = mappings.find(operation.name);
    if (entry == mappings.end())
      return io::input_error({options.mapping}, fmt::format("no mapping of {}", io::quote(operation.name)));
    mapping = entry->second.mapping;
    where = entry->second.where;
  }
  auto placed = report::placed_kernel(run, 0, operation.name, std::move(kernel), std::move(mapping));
  if (!placed.estimate.refusal.empty())
    return io::input_error(where, operation.name + ": " + placed.estimate.refusal);
  operation.time_ms[system.name] = placed.estimate.time_ms;
  cnm::set_forms(program, operation, product, *placed.task.input.kernel, placed.task.mapping, system);
  run.kernels.push_back(std::move(placed));
  return std::nullopt;
}

}  // namespace

io::Result<ExitStatus> estimate_program(const io::RunOptions& options, io::Verb verb) {
  if (options.arch.find(',') != std::string::npos)
    return io::usage_error(fmt::format(
        "{} requires a single system; `nestor map` places operations on several", io::to_string(verb)));
  auto given = read_system(options);
  if (!given) return given.error();
  report::OffloadRun run;
  run.verb = verb;
  run.systems.push_back(std::move(*given));
  const cnm::System& system = run.systems.front();
  if (auto error = refuse_direct_form(options, system)) return *error;
  auto program = read_program(options);
  if (!program) return program.error();
  const auto mappings = mappings_for(options, *program, system);
  if (!mappings) return mappings.error();
  for (auto& operation : program->operations)
    if (!operation.time_ms.contains(system.name))
      if (auto error = add_estimate(options, *mappings, *program, operation, run)) return *error;
  run.result.placement.assign(program->operations.size(), 0);
  run.problem = {std::move(*program),
                 {{system.name, false, system.link}},
                 options.transfers.value_or(cnm::CountedTransfers::inner),
                 options.weights};
  if (auto fault = cnm::find_fault(run.problem); !fault.empty())
    return io::input_error({options.inputs.front()}, fault);
  run.result.cost = cnm::cost_of_placement(run.problem, run.result.placement);
  run.result.alone = {run.result.cost};
  if (prints_tables(options)) print_text(report::offload_text(run));
  Outputs outputs;
  outputs.add(write_json_output(options, report::offload_json(run, options)));
  return outputs.end(ExitStatus::solved);
}

}  // namespace nestor::app::cnm_space

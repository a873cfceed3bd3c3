#include "app/cnm/offload.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/console.h"
#include "app/inputs.h"
#include "app/interrupt.h"
#include "app/output.h"
#include "base/split.h"
#include "base/tables/hash_table.h"
#include "io/checked_reader.h"
#include "io/cnm/csv.h"
#include "io/cnm/kernel_file.h"
#include "io/cnm/kernel_options.h"
#include "io/cnm/kernel_template.h"
#include "io/cnm/program_file.h"
#include "io/cnm/system_file.h"
#include "io/onnx/import_program.h"
#include "mapper/cnm/map_network.h"
#include "mapper/cnm/offload_forms.h"
#include "model/cnm/host_time.h"
#include "report/cnm/kernel_work.h"
#include "report/cnm/offload.h"
#include "solver/engine/executor.h"

namespace nestor::app::cnm_space {
namespace {

constexpr double most_ms = 1e9;

bool is_program_json(const std::string& path) {
  if (!path.ends_with(".json")) return false;
  const auto document = io::Document::head(io::read_head(path, io::head_bytes), path);
  return document.root().is_map() && document.root().find("ops").has_value();
}

// A setting that begins with the name of a system applies to that system. Other settings apply to every
// system that has the value.
io::Result<std::vector<cnm::System>> read_systems(const io::RunOptions& options) {
  std::vector<std::string> names;
  for (const auto name : split_list(options.arch, ',')) names.emplace_back(name);
  std::vector<std::vector<std::string>> settings(names.size());
  for (const std::string& setting : options.settings) {
    const auto colon = setting.find(':');
    const auto owner = std::find(names.begin(), names.end(), setting.substr(0, colon));
    if (colon != std::string::npos && colon < setting.find('=') && owner != names.end()) {
      settings[static_cast<std::size_t>(owner - names.begin())].push_back(setting.substr(colon + 1));
      continue;
    }
    bool taken = false;
    std::optional<io::Error> refusal;
    for (std::size_t s = 0; s < names.size(); ++s) {
      const auto with = io::read_cnm_system(names[s], std::span(&setting, 1));
      if (with)
        settings[s].push_back(setting);
      else if (!refusal)
        refusal = with.error();
      taken = taken || with.ok();
    }
    if (!taken && refusal) return *refusal;
  }
  std::vector<cnm::System> systems;
  for (std::size_t s = 0; s < names.size(); ++s) {
    auto system = io::read_cnm_system(names[s], settings[s]);
    if (!system) return system.error();
    for (const auto& other : systems)
      if (other.name == system->name)
        return io::usage_error(fmt::format("--arch names system {} twice", io::quote(system->name)));
    systems.push_back(std::move(*system));
  }
  return systems;
}

// Reads the operations of a network, with the k of their products.
io::Result<cnm::KernelProgram> read_network_program(const std::string& path, const io::RunOptions& options) {
  std::optional<cnm::Type> elements;
  if (!options.data_type.empty()) {
    const auto named = io::data_type_named(options.data_type);
    if (!named) return io::usage_error("--dtype: " + named.error().message);
    elements = *named;
  }
  auto program = io::import_onnx_program(path, onnx_options(options), elements);
  if (!program) return program;
  for (auto& operation : program->operations)
    if (operation.kernel)
      if (auto error = io::read_multiply_k(options, operation.kernel->multiply_k)) return *error;
  return program;
}

io::Result<cnm::KernelProgram> read_program(const io::RunOptions& options) {
  if (options.inputs.size() != 1)
    return io::usage_error(fmt::format("expected one program, found {} inputs", options.inputs.size()));
  const auto& path = options.inputs.front();
  if (path.ends_with(".json")) return io::read_program_file(path);
  if (path.ends_with(".onnx")) return read_network_program(path, options);
  if (!path.ends_with(".mlir"))
    return io::usage_error("a placement is of a program: expected MLIR, ONNX or a program's JSON");
  auto file = io::read_mlir_file(path, options);
  if (!file) return file.error();
  auto program = cnm::joined(std::move(file->programs));
  for (auto& operation : program.operations)
    if (operation.kernel)
      if (auto error = io::read_multiply_k(options, operation.kernel->multiply_k)) return *error;
  return program;
}

constexpr std::uintmax_t largest_table = std::uintmax_t{64} << 20;

// Reads the rows of --times: given times of operations on systems, which then need no search.
io::MaybeError read_times(const io::RunOptions& options, const std::vector<cnm::System>& systems,
                          cnm::KernelProgram& program) {
  if (options.times.empty()) return std::nullopt;
  const auto text = io::read_file(options.times, largest_table);
  if (!text) return text.error();
  const auto table = io::parse_csv(*text, options.times);
  if (!table) return table.error();
  constexpr std::array<std::string_view, 3> columns = {"op", "system", "time_ms"};
  std::array<std::size_t, 3> at{};
  for (std::size_t c = 0; c < columns.size(); ++c) {
    at[c] = table->find(columns[c]);
    if (at[c] == table->columns.size())
      return io::input_error({options.times, 1, 1},
                             fmt::format("no column '{}', expected {}", columns[c], io::join_words(columns)));
  }
  HashMap<std::string, std::size_t> operations;
  for (std::size_t i = 0; i < program.operations.size(); ++i)
    operations.emplace(program.operations[i].name, i);
  for (const auto& row : table->rows) {
    const auto operation = operations.find(row.cells[at[0]]);
    if (operation == operations.end())
      return io::input_error(table->where(row, at[0]),
                             fmt::format("no operation {} in the program", io::quote(row.cells[at[0]])));
    const auto& name = row.cells[at[1]];
    if (std::none_of(systems.begin(), systems.end(),
                     [&](const cnm::System& system) { return system.name == name; }))
      return io::input_error(table->where(row, at[1]),
                             fmt::format("system {} is none of --arch", io::quote(name)));
    const auto ms = io::to_number(row.cells[at[2]]);
    if (!ms || !(*ms >= 0 && *ms <= most_ms))
      return io::input_error(table->where(row, at[2]),
                             fmt::format("time_ms is {}, expected a number from 0 to {:.0f}",
                                         io::quote(row.cells[at[2]]), most_ms));
    program.operations[operation->second].time_ms[name] = *ms;
  }
  return std::nullopt;
}

struct Timing {
  cnm::KernelProgram bounded;          ///< the program with lower bounds instead of times
  std::vector<std::string> left_open;  ///< searches that a limit stopped
  Status stopped = Status::optimal;    ///< the limit that stopped them
};

// Maps the operations that a system can run, and enters their times and the forms in which it holds their
// values.
void map_operations(cnm::KernelProgram& program, const cnm::System& system, const io::RunOptions& options,
                    const cnm::MapRequest& request, Timing& timing) {
  // --dtype replaces the element types if a system computes on one type only.
  const auto named = io::data_type_named(options.data_type);
  const bool retyped = named.ok() && system.target == cnm::Target::hbm_pim;
  std::vector<cnm::Kernel> kernels;
  std::vector<std::size_t> places;
  std::vector<std::optional<cnm::ConvolutionProduct>> products;
  for (std::size_t i = 0; i < program.operations.size(); ++i)
    if (program.operations[i].kernel && !program.operations[i].time_ms.contains(system.name)) {
      const auto& kernel = *program.operations[i].kernel;
      products.push_back(cnm::product_of_convolution(kernel, program.operations[i].pads));
      const auto& mapped = products.back() ? products.back()->kernel : kernel;
      kernels.push_back(retyped ? cnm::with_elements(mapped, *named) : mapped);
      places.push_back(i);
    }
  const auto alike = cnm::first_alike(kernels);
  std::vector<std::size_t> distinct;
  for (std::size_t k = 0; k < kernels.size(); ++k)
    if (alike[k] == k) distinct.push_back(k);
  // A search on HBM-PIM takes one thread. On UPMEM, the search itself distributes all threads.
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
  }
}

Timing time_operations(cnm::KernelProgram& program, const std::vector<cnm::System>& systems,
                       const io::RunOptions& options, const cnm::MapRequest& request) {
  Timing timing{program, {}, Status::optimal};
  for (std::size_t s = 0; s < systems.size(); ++s) {
    const auto& name = systems[s].name;
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

}  // namespace

bool is_placement(const io::RunOptions& options) {
  if (options.arch.find(',') != std::string::npos) return true;
  if (const auto system = io::read_cnm_system(options.arch, {});
      system && system->target == cnm::Target::host)
    return true;
  if (options.inputs.size() != 1) return false;
  const auto& path = options.inputs.front();
  if (is_program_json(path)) return true;
  if (!path.ends_with(".mlir")) return false;
  const auto file = io::read_mlir_file(path, options);
  return file && (file->programs.size() > 1 || file->programs[0].operations.size() > 1);
}

io::Result<ExitStatus> place(const io::RunOptions& options, const cnm::MapRequest& request) {
  for (const std::string_view word : {"proof", "all", "top", "explain", "report"})
    if (options.is_given(word))
      return io::usage_error(
          fmt::format("--{} goes with one kernel on one system, not with a placement", word));
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
    // Better mappings may hold values in other forms, so the bound cannot include transfers.
    auto bounded = run.problem;
    bounded.program = std::move(timing.bounded);
    bounded.transfers = cnm::CountedTransfers::none;
    run.result.bound_ps = std::min(run.result.cost.time_ps, cnm::place_operations(bounded, stop).bound_ps);
    run.result.status = timing.stopped;
  }
  if (prints_tables(options)) print_text(report::offload_text(run));
  Outputs outputs;
  outputs.add(write_json_output(options, report::offload_json(run, options)));
  if (run.result.status != Status::optimal) return outputs.end(limited_by(to_string(run.result.status)));
  return outputs.end(ExitStatus::solved);
}

}  // namespace nestor::app::cnm_space

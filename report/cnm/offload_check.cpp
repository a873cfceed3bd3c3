#include "report/cnm/offload_check.h"

#include <fmt/format.h>

#include <cmath>

#include "io/checked_reader.h"
#include "io/cnm/program_file.h"
#include "io/cnm/system_file.h"
#include "report/cnm/kernel_source.h"
#include "report/cnm/offload.h"
#include "report/keys/cnm.h"
#include "report/keys/common.h"
#include "report/results/result_parts.h"
#include "report/verify/claims.h"
#include "report/verify/comparison.h"

namespace nestor::report {
namespace {

constexpr std::size_t most_systems = 16;
constexpr std::size_t most_kernels = 10'000;

io::MaybeError read_verb(const io::Node& root, OffloadRun& run) {
  const auto verb = root.find(key::verb);
  for (const auto known : {io::Verb::map, io::Verb::estimate, io::Verb::evaluate})
    if (verb && verb->text() == io::to_string(known)) {
      run.verb = known;
      return std::nullopt;
    }
  return io::input_error(root.where(), "expected verb map, estimate or evaluate in a result of a program");
}

io::MaybeError read_systems(const io::Node& systems, OffloadRun& run) {
  io::Reading reading;
  for (const io::Node& node : io::read_list(systems, "systems", 1, most_systems, reading)) {
    auto system = io::cnm_system_from(node);
    if (!system) return system.error();
    run.problem.systems.push_back({system->name, system->target == cnm::Target::host, system->link});
    run.systems.push_back(std::move(*system));
  }
  return reading.failed() ? std::optional(reading.error()) : std::nullopt;
}

// Returns the index of the system with this name.
io::Result<std::size_t> system_named(const io::Node& name, const OffloadRun& run) {
  for (std::size_t s = 0; s < run.systems.size(); ++s)
    if (run.systems[s].name == name.text()) return s;
  return io::input_error(name.where(), fmt::format("no system {} in 'systems'", name.describe()));
}

io::MaybeError read_placement(const io::Node& placement, OffloadRun& run) {
  const auto& operations = run.problem.program.operations;
  io::Reading reading;
  for (const io::Node& name :
       io::read_list(placement, "placement", operations.size(), operations.size(), reading)) {
    const auto system = system_named(name, run);
    if (!system) return system.error();
    const auto& operation = operations[run.result.placement.size()];
    if (!operation.time_ms.contains(run.systems[*system].name))
      return io::input_error(name.where(),
                             fmt::format("{} has no time on {}", io::quote(operation.name), name.describe()));
    run.result.placement.push_back(*system);
  }
  return reading.failed() ? std::optional(reading.error()) : std::nullopt;
}

// Reads the kernels and estimates them. The kernels must be in the order of the program's operations, each on
// the system where the placement puts its operation. The new time of an operation replaces the time in the
// program.
io::MaybeError read_kernels(const io::Node& kernels, OffloadRun& run) {
  auto& operations = run.problem.program.operations;
  std::size_t next = 0;
  io::Reading reading;
  for (const io::Node& node : io::read_list(kernels, "kernels", 0, most_kernels, reading)) {
    const auto name = node.find(key::name);
    const auto on = node.find(key::system);
    if (!name || !on) return io::input_error(node.where(), "expected a kernel with a name and a system");
    const auto system = system_named(*on, run);
    if (!system) return system.error();
    while (next < operations.size() && operations[next].name != name->text()) ++next;
    if (next == operations.size() || run.result.placement[next] != *system)
      return io::input_error(node.where(),
                             fmt::format("expected kernels of operations of the program in order, "
                                         "on the systems of the placement, found {}",
                                         name->describe()));
    auto task = read_kernel_entry(node, run.systems[*system]);
    if (!task) return task.error();
    if (!task->input.kernel)
      return io::input_error(node.where(), fmt::format("{}: expected a source in MLIR", name->describe()));
    auto placed = placed_kernel(run, *system, operations[next].name, std::move(*task->input.kernel),
                                std::move(task->mapping));
    if (!placed.estimate.refusal.empty())
      return io::input_error(node.where(), fmt::format("{}: {}", name->describe(), placed.estimate.refusal));
    // Times from a search are whole picoseconds, so differences of up to 1 ps are ignored.
    double& time_ms = operations[next++].time_ms[run.systems[*system].name];
    if (std::abs(time_ms - placed.estimate.time_ms) > 1e-9) time_ms = placed.estimate.time_ms;
    run.kernels.push_back(std::move(placed));
  }
  // The verbs estimate and evaluate accept programs on one system only, and estimate all their operations.
  if (!reading.failed() && run.verb != io::Verb::map && run.kernels.size() != operations.size())
    return io::input_error(kernels.where(),
                           fmt::format("expected a kernel for each of the {} operations, found {}",
                                       operations.size(), run.kernels.size()));
  return reading.failed() ? std::optional(reading.error()) : std::nullopt;
}

// Rebuilds the run that a result describes, with new estimates of the kernels' times.
io::Result<OffloadRun> run_from(const io::Node& root) {
  const auto offload = root.find(key::offload);
  const auto of_offload = [&](const char* name) {
    return offload && offload->is_map() ? offload->find(name) : std::nullopt;
  };
  const auto systems = root.find(key::systems);
  const auto program = of_offload(key::program), placement = of_offload(key::placement);
  const auto kernels = of_offload(key::kernels);
  const auto weights = of_offload(key::weights), counted = of_offload(key::counted);
  if (!systems || !program || !placement || !kernels || !weights || !counted)
    return io::input_error(root.where(), "expected keys 'systems' and 'offload', as in a result of map");
  OffloadRun run;
  if (auto error = read_verb(root, run)) return *error;
  if (auto error = read_systems(*systems, run)) return *error;
  auto read = io::program_from(*program);
  if (!read) return read.error();
  run.problem.program = std::move(*read);
  io::Reading reading;
  run.problem.weights = io::read_word(*weights, "weights", cnm::weight_words, reading);
  run.problem.transfers = io::read_word(*counted, "counted", cnm::counted_transfers, reading);
  if (reading.failed()) return reading.error();
  if (auto error = read_placement(*placement, run)) return *error;
  if (auto error = read_kernels(*kernels, run)) return *error;
  if (auto fault = cnm::find_fault(run.problem); !fault.empty())
    return io::input_error(program->where(), fault);
  return run;
}

// Computes the cost of the claimed placement and searches for the best placement. Returns the keys that
// remain unchecked.
std::vector<const char*> place_again(const io::Json& offload, const StopSignal& stop, OffloadRun& run,
                                     io::ResultCheck& check) {
  auto best = cnm::place_operations(run.problem, stop);
  run.result.cost = cnm::cost_of_placement(run.problem, run.result.placement);
  run.result.alone = best.alone;
  if (run.verb != io::Verb::map) return {};
  const io::Json status = offload.value(key::status, io::Json());
  if (!io::is_how_a_search_ends(status))
    check.findings.push_back(
        fmt::format("offload.status is {}, expected the final status of a search", status.dump()));
  if (best.status != Status::optimal || status != "optimal")
    return {key::status, key::lower_bound_ms, key::left_open};
  run.result = std::move(best);
  check.optimality = io::Optimality::proved_again;
  return {};
}

}  // namespace

io::Result<io::ResultCheck> check_offload_result(const io::Json& claims, const std::string& file,
                                                 const StopSignal& stop) {
  const auto document = io::Document::read(file, io::result_limits);
  if (!document) return document.error();
  if (auto error = io::check_schema(document->root())) return *error;
  auto run = run_from(document->root());
  if (!run) return run.error();
  io::ResultCheck check;
  check.mappings = static_cast<Int>(run->problem.program.operations.size());
  io::Comparison comparison(check);
  const auto unchecked = place_again(claims[key::offload], stop, *run, check);
  for (const char* key : {key::version, key::options, key::inputs}) comparison.leave(key);
  comparison.leave("systems (taken as given)");
  comparison.leave("offload.program (parts, bytes and times without a kernel are taken as given)");
  comparison.leave("offload.kernels[].source");
  comparison.leave("offload.kernels[].maps[].name (a label)");
  io::Json expected = {
      {key::schema, io::result_schema}, {key::verb, io::to_string(run->verb)}, {key::space, "cnm"}};
  if (run->verb == io::Verb::map) expected[key::objective] = {{key::name, "time"}};
  expected[key::systems] = io::Json::array();
  expected[key::offload] = offload_entry(*run);
  for (const char* key : unchecked) {
    comparison.leave(std::string("offload.") + key);
    expected[key::offload].erase(key);
  }
  for (const auto& system : run->systems) expected[key::systems].push_back(io::system_to_json(system));
  comparison.compare(claims, expected, "", "");
  return check;
}

}  // namespace nestor::report

#include "report/cnm/offload_check.h"

#include <fmt/format.h>

#include <cmath>

#include "check/cnm/contract.h"
#include "io/checked_reader.h"
#include "io/cnm/program_file.h"
#include "io/cnm/system_file.h"
#include "report/cnm/kernel_source.h"
#include "report/cnm/offload.h"
#include "report/cnm/result_check.h"
#include "report/keys/cnm.h"
#include "report/keys/common.h"
#include "report/results/result_parts.h"

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

// Compares the kernels with their contracts. They must be in the order of the program's operations, each on
// the system where the placement puts its operation. The time of the contract replaces the time in the
// program.
io::MaybeError check_kernels(const io::Node& kernels, const io::Json& claims, OffloadRun& run,
                             io::Comparison& comparison) {
  const io::Json& offload = claims[key::offload];
  auto& operations = run.problem.program.operations;
  std::size_t next = 0;
  std::size_t count = 0;
  io::Reading reading;
  for (const io::Node& node : io::read_list(kernels, "kernels", 0, most_kernels, reading)) {
    const auto name = node.find(key::name);
    const auto on = node.find(key::system);
    if (!name || !on) return io::input_error(node.where(), "expected a kernel with a name and a system");
    const auto index = system_named(*on, run);
    if (!index) return index.error();
    while (next < operations.size() && operations[next].name != name->text()) ++next;
    if (next == operations.size() || run.result.placement[next] != *index)
      return io::input_error(node.where(),
                             fmt::format("expected kernels of operations of the program in order, "
                                         "on the systems of the placement, found {}",
                                         name->describe()));
    const cnm::System& system = run.systems[*index];
    const auto task = read_kernel_entry(node, system);
    if (!task) return task.error();
    if (!task->input.kernel)
      return io::input_error(node.where(), fmt::format("{}: expected a source in MLIR", name->describe()));
    const KernelParts parts{system, claims[key::systems][*index], io::to_string(io::Verb::estimate)};
    const auto found = check_kernel(comparison, offload[key::kernels][count], *task, parts,
                                    fmt::format("offload.kernels[{}].", count), "offload.kernels[].",
                                    {{key::name, operations[next].name}, {key::system, system.name}});
    // Times from a search are whole picoseconds, so differences of up to 1 ps are ignored.
    double& time_ms = operations[next++].time_ms[system.name];
    if (found && std::abs(time_ms - *found) > 1e-9) time_ms = *found;
    ++count;
  }
  // The verbs estimate and evaluate accept programs on one system only, and estimate all their operations.
  if (!reading.failed() && run.verb != io::Verb::map && count != operations.size())
    return io::input_error(
        kernels.where(),
        fmt::format("expected a kernel for each of the {} operations, found {}", operations.size(), count));
  return reading.failed() ? std::optional(reading.error()) : std::nullopt;
}

// Rebuilds the run that a result describes, with the times of the kernels' contracts.
io::Result<OffloadRun> run_from(const io::Node& root, const io::Json& claims, io::Comparison& comparison) {
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
  if (auto error = check_kernels(*kernels, claims, run, comparison)) return *error;
  if (auto fault = cnm::find_fault(run.problem); !fault.empty())
    return io::input_error(program->where(), fault);
  return run;
}

// Searches for the best placement again. Adds what the search confirms to `expected`, and returns the keys
// that remain unchecked.
std::vector<const char*> place_again(const OffloadRun& run, const StopSignal& stop, const io::Json& claims,
                                     io::ResultCheck& check, io::Json& expected) {
  const io::Json status = claims.value(key::status, io::Json());
  if (!io::is_how_a_search_ends(status))
    check.findings.push_back(
        fmt::format("offload.status is {}, expected the final status of a search", status.dump()));
  const auto best = cnm::place_operations(run.problem, stop);
  if (best.status != Status::optimal || status != "optimal")
    return {key::status, key::lower_bound_ms, key::left_open};
  check.optimality = io::Optimality::proved_again;
  expected[key::status] = status;
  expected[key::lower_bound_ms] = static_cast<double>(best.bound_ps) / 1e9;
  expected[key::placement] = io::Json::array();
  for (const std::size_t system : best.placement)
    expected[key::placement].push_back(run.systems[system].name);
  return {};
}

}  // namespace

io::Result<io::ResultCheck> check_offload_result(const io::Json& claims, const std::string& file,
                                                 const StopSignal& stop) {
  const auto document = io::Document::read(file, io::result_limits);
  if (!document) return document.error();
  if (auto error = io::check_schema(document->root())) return *error;
  io::ResultCheck check;
  io::Comparison comparison(check);
  const auto run = run_from(document->root(), claims, comparison);
  if (!run) return run.error();
  check.mappings = static_cast<Int>(run->problem.program.operations.size());
  for (const char* key : {key::version, key::options, key::inputs}) comparison.leave(key);
  comparison.leave("systems (taken as given)");
  comparison.leave("offload.program (parts, bytes and times without a kernel are taken as given)");
  comparison.pass("offload.kernels");
  io::Json offload = claims[key::offload];
  offload[key::program] = io::to_json(run->problem.program);
  const auto contract = nestor::check::cnm::placement_contract(claims[key::systems], offload);
  for (const auto& fault : contract.faults) comparison.find("offload: " + fault);
  if (!contract.faults.empty()) return check;
  io::Json expected = {
      {key::schema, io::result_schema}, {key::verb, io::to_string(run->verb)}, {key::space, "cnm"}};
  if (run->verb == io::Verb::map) expected[key::objective] = {{key::name, "time"}};
  expected[key::systems] = io::Json::array();
  for (const auto& system : run->systems) expected[key::systems].push_back(io::system_to_json(system));
  io::Json& placed = expected[key::offload] = contract.figures;
  for (const char* const key : {key::placement, key::weights, key::counted, key::program})
    placed[key] = offload[key];
  if (run->verb == io::Verb::map)
    for (const char* const key : place_again(*run, stop, claims[key::offload], check, placed))
      comparison.leave(std::string("offload.") + key);
  comparison.compare(claims, expected, "", "");
  std::erase(check.not_checked, "offload.kernels[].source");
  return check;
}

}  // namespace nestor::report

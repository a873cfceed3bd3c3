#include "report/cnm/offload.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/cnm/mapping_file.h"
#include "io/cnm/program_file.h"
#include "io/cnm/system_file.h"
#include "mapper/cnm/layer_kernel.h"
#include "report/claim_check.h"
#include "report/cnm/estimate_json.h"
#include "report/cnm/estimate_run.h"
#include "report/cnm/kernel_source.h"
#include "report/keys/cnm.h"
#include "report/keys/common.h"
#include "report/results/result_parts.h"
#include "report/run_record.h"
#include "report/tables/table.h"

namespace nestor::report {
namespace {

double ms_of(Int ps) { return static_cast<double>(ps) / 1e9; }

std::string ms_digits(Int ps) {
  return fmt::format("{}.{:06} ms", ps / 1'000'000'000, ps % 1'000'000'000 / 1000);
}

io::Json placement_json(const cnm::OffloadProblem& problem, const std::vector<std::size_t>& placement) {
  auto names = io::Json::array();
  for (const std::size_t system : placement) names.push_back(problem.systems[system].name);
  return names;
}

io::Json alone_json(const cnm::OffloadProblem& problem, const cnm::OffloadResult& result) {
  auto json = io::Json::object();
  for (std::size_t s = 0; s < problem.systems.size(); ++s)
    if (result.alone[s]) json[problem.systems[s].name] = ms_of(result.alone[s]->time_ps);
  return json;
}

io::Json kernels_json(const OffloadRun& run) {
  auto json = io::Json::array();
  for (const auto& [index, task, estimate] : run.kernels) {
    const cnm::System& system = run.systems[index];
    io::Json entry = {
        {key::name, task.name}, {key::system, system.name}, {key::source, source_json(task.input, system)}};
    add_figures(entry, estimate);
    entry[key::maps] = maps_json(estimate, system);
    json.push_back(std::move(entry));
  }
  return json;
}

std::string kernels_text(const std::vector<PlacedKernel>& kernels) {
  if (kernels.empty()) return {};
  io::Table table({{"operation", io::Align::left}, {"mapping", io::Align::left}});
  for (const auto& kernel : kernels) table.add_row({kernel.task.name, io::short_text(kernel.task.mapping)});
  return "\n" + table.to_string();
}

}  // namespace

PlacedKernel placed_kernel(const OffloadRun& run, std::size_t system, const std::string& operation,
                           cnm::Kernel kernel, cnm::CnmMapping mapping) {
  PlacedKernel placed;
  placed.system = system;
  placed.task.name = operation;
  kernel.name = cnm::kernel_name(operation);
  placed.task.input.kernel = std::move(kernel);
  placed.task.mapping = std::move(mapping);
  placed.estimate = estimate_task(placed.task, run.systems[system]).estimate;
  return placed;
}

io::Json offload_entry(const OffloadRun& run) {
  const auto& problem = run.problem;
  const auto& result = run.result;
  auto offload = io::Json::object();
  if (run.verb == io::Verb::map) {
    offload[key::status] = to_string(result.status);
    offload[key::lower_bound_ms] = ms_of(result.bound_ps);
  }
  offload[key::time_ms] = ms_of(result.cost.time_ps);
  offload[key::placement] = placement_json(problem, result.placement);
  offload[key::weights] = cnm::weight_words.word(problem.weights);
  offload[key::counted] = cnm::counted_transfers.word(problem.transfers);
  offload[key::transfers] = result.cost.transfers;
  offload[key::alone_ms] = alone_json(problem, result);
  offload[key::link] = io::Json::object();
  for (const auto& [name, is_host, link] : problem.systems)
    offload[key::link][name] = {
        {key::to_gbs, link.to_gbs}, {key::from_gbs, link.from_gbs}, {key::us, link.us}};
  if (!run.left_open.empty()) offload[key::left_open] = run.left_open;
  offload[key::kernels] = kernels_json(run);
  offload[key::program] = io::to_json(problem.program);
  return offload;
}

io::Json offload_json(const OffloadRun& run, const io::RunOptions& options) {
  auto json = cnm_head_json(run.verb, options, "program");
  json[key::systems] = io::Json::array();
  for (const auto& system : run.systems) json[key::systems].push_back(io::system_to_json(system));
  json[key::offload] = offload_entry(run);
  return json;
}

std::string offload_text(const OffloadRun& run) {
  const auto& problem = run.problem;
  const auto& result = run.result;
  std::vector<io::Column> columns = {{"operation", io::Align::left}, {"runs on", io::Align::left}, {"time"}};
  for (const auto& system : problem.systems) columns.push_back({"on " + system.name});
  io::Table table(columns);
  Int operations = 0;
  for (std::size_t i = 0; i < result.placement.size(); ++i) {
    const auto& operation = problem.program.operations[i];
    const auto time = [&](std::size_t system) {
      const auto known = operation.time_ms.find(problem.systems[system].name);
      return known == operation.time_ms.end() ? std::nullopt : cnm::picoseconds_of(known->second);
    };
    const Int here = time(result.placement[i]).value_or(0);
    operations += here;
    std::vector<std::string> cells = {operation.name, problem.systems[result.placement[i]].name,
                                      ms_digits(here)};
    for (std::size_t s = 0; s < problem.systems.size(); ++s)
      cells.push_back(time(s) ? ms_digits(*time(s)) : std::string("-"));
    table.add_row(std::move(cells));
  }
  std::string text = table.to_string();
  text +=
      fmt::format("time {}: operations {}, {} transfers {}\n", ms_digits(result.cost.time_ps),
                  ms_digits(operations), result.cost.transfers, ms_digits(result.cost.time_ps - operations));
  const auto counted =
      fmt::format("constants {}, transfers counted: {}\n", cnm::weight_words.word(problem.weights),
                  cnm::counted_transfers.word(problem.transfers));
  if (run.verb != io::Verb::map) return text + counted + kernels_text(run.kernels);
  for (std::size_t s = 0; s < problem.systems.size(); ++s)
    text += fmt::format(
        "everything on {}: {}\n", problem.systems[s].name,
        result.alone[s] ? ms_digits(result.alone[s]->time_ps) : std::string("not all operations run there"));
  text += fmt::format("{}: bound {}; {}", to_string(result.status), ms_digits(result.bound_ps), counted);
  text +=
      "every operation has its own best mapping; mappings of consecutive operations are not optimised "
      "together\n";
  return text + kernels_text(run.kernels);
}

bool is_offload_result(const io::Json& claims) { return claims.is_object() && claims.contains(key::offload); }

}  // namespace nestor::report

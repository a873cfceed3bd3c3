#include "report/cnm/offload.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/cnm/program_file.h"
#include "report/claim_check.h"
#include "report/cnm/estimate_json.h"
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

std::string status_of(const cnm::OffloadResult& result) {
  return result.status == Status::optimal ? "optimal" : "feasible";
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

}  // namespace

io::Json offload_json(const OffloadRun& run, const io::RunOptions& options) {
  const auto& [systems, problem, result, left_open] = run;
  io::Json json = {{key::schema, io::result_schema},
                   {key::version, NESTOR_VERSION},
                   {key::verb, "map"},
                   {key::space, "cnm"}};
  auto given = io::Json::object();
  for (const auto& setting : options.settings)
    given[setting.substr(0, setting.find('='))] = setting.substr(setting.find('=') + 1);
  json[key::settings] = std::move(given);
  put_given(json, options, io::Verb::map, "program");
  json[key::systems] = io::Json::array();
  for (const auto& system : systems) json[key::systems].push_back(system_json(system));
  io::Json& offload = json[key::offload];
  offload[key::status] = status_of(result);
  offload[key::time_ms] = ms_of(result.cost.time_ps);
  offload[key::lower_bound_ms] = ms_of(result.bound_ps);
  offload[key::placement] = placement_json(problem, result.placement);
  offload[key::weights_start] = cnm::weight_words.word(problem.weights);
  offload[key::counted] = cnm::counted_transfers.word(problem.transfers);
  offload[key::transfers] = result.cost.transfers;
  offload[key::alone_ms] = alone_json(problem, result);
  offload[key::link] = io::Json::object();
  for (const auto& [name, is_host, link] : problem.systems)
    offload[key::link][name] = {
        {key::to_gbs, link.to_gbs}, {key::from_gbs, link.from_gbs}, {key::us, link.us}};
  if (!left_open.empty()) offload[key::left_open] = left_open;
  offload[key::program] = io::to_json(problem.program);
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
  for (std::size_t s = 0; s < problem.systems.size(); ++s)
    text += fmt::format(
        "everything on {}: {}\n", problem.systems[s].name,
        result.alone[s] ? ms_digits(result.alone[s]->time_ps) : std::string("not all operations run there"));
  text += fmt::format("{}: bound {}; constants {}, transfers counted: {}\n", status_of(result),
                      ms_digits(result.bound_ps), cnm::weight_words.word(problem.weights),
                      cnm::counted_transfers.word(problem.transfers));
  return text + "every operation has its own best mapping; those of neighbours are not chosen together\n";
}

bool is_offload_result(const io::Json& claims) { return claims.is_object() && claims.contains(key::offload); }

namespace {

// The problem as the result states it.
io::Result<cnm::OffloadProblem> problem_from(const io::Node& root) {
  const auto offload = root.find(key::offload);
  const auto systems = root.find(key::systems);
  const auto program = offload ? offload->find(key::program) : std::nullopt;
  const auto links = offload ? offload->find(key::link) : std::nullopt;
  const auto weights = offload ? offload->find(key::weights_start) : std::nullopt;
  const auto counted = offload ? offload->find(key::counted) : std::nullopt;
  if (!systems || !program || !links || !weights || !counted || !links->is_map())
    return io::input_error(root.where(),
                           "expected keys 'systems' and 'offload', as a result of map has them");
  cnm::OffloadProblem problem;
  auto read = io::program_from(*program);
  if (!read) return read.error();
  problem.program = std::move(*read);
  io::Reading reading;
  problem.weights = io::read_word(*weights, "weights", cnm::weight_words, reading);
  problem.transfers = io::read_word(*counted, "counted", cnm::counted_transfers, reading);
  for (const io::Node& system : io::read_list(*systems, "systems", 1, 16, reading)) {
    const auto name = system.find(key::name);
    const auto target = system.find(key::target);
    const auto link = name ? links->find(name->text()) : std::nullopt;
    if (!name || !target || !link)
      return io::input_error(system.where(), "expected a system with a name, a target and a link");
    constexpr std::array<std::string_view, 3> keys = {key::to_gbs, key::from_gbs, key::us};
    const io::MapReader reader(*link, "link", keys, reading);
    if (reading.failed()) break;
    problem.systems.push_back({std::string(name->text()),
                               target->text() == cnm::targets.word(cnm::Target::host),
                               {reader.number(key::to_gbs, 0, 0), reader.number(key::from_gbs, 0, 0),
                                reader.number(key::us, 0, 0)}});
  }
  if (reading.failed()) return reading.error();
  if (auto fault = cnm::find_fault(problem); !fault.empty()) return io::input_error(program->where(), fault);
  return problem;
}

// The claimed placement; nothing if it is none of the problem.
std::optional<std::vector<std::size_t>> placement_from(const io::Json& claims,
                                                       const cnm::OffloadProblem& problem) {
  std::vector<std::size_t> placement;
  const auto& list = claims[key::placement];
  if (!list.is_array() || list.size() != problem.program.operations.size()) return std::nullopt;
  for (std::size_t i = 0; i < list.size(); ++i) {
    std::size_t s = 0;
    while (s < problem.systems.size() && list[i] != problem.systems[s].name) ++s;
    if (s == problem.systems.size()) return std::nullopt;
    if (!problem.program.operations[i].time_ms.contains(problem.systems[s].name)) return std::nullopt;
    placement.push_back(s);
  }
  return placement;
}

}  // namespace

io::Result<io::ResultCheck> check_offload_result(const io::Json& claims, const std::string& file,
                                                 const StopSignal& stop) {
  const auto document = io::Document::read(file, io::result_limits);
  if (!document) return document.error();
  const auto problem = problem_from(document->root());
  if (!problem) return problem.error();
  io::ResultCheck check;
  const io::Json& offload = claims[key::offload];
  const auto differs = [&](const char* name, const io::Json& found) {
    ++check.figures;
    const auto claimed = offload.value(name, io::Json());
    if (claimed != found)
      check.findings.push_back(fmt::format("offload.{} is {}, found {}", name, claimed.dump(), found.dump()));
  };
  const auto placement = placement_from(offload, *problem);
  check.mappings = static_cast<Int>(problem->program.operations.size());
  check.not_checked = {"version", "systems, settings, options, inputs (taken as given)",
                       "offload.program (times, parts and bytes are taken as given)"};
  if (!placement) {
    check.findings.push_back("offload.placement is none of the program's");
    return check;
  }
  const auto cost = cnm::cost_of_placement(*problem, *placement);
  differs(key::time_ms, ms_of(cost.time_ps));
  differs(key::transfers, cost.transfers);
  const auto best = cnm::place_operations(*problem, stop);
  differs(key::alone_ms, alone_json(*problem, best));
  const bool claims_best = offload.value(key::status, io::Json()) == "optimal";
  if (best.status != Status::optimal) {
    check.not_checked.emplace_back("offload.status, offload.lower_bound_ms (optimality)");
  } else if (claims_best) {
    differs(key::lower_bound_ms, ms_of(best.bound_ps));
    differs(key::placement, placement_json(*problem, best.placement));
    check.optimality = "confirmed by a new search";
  } else {
    differs(key::status, "feasible");
    check.not_checked.emplace_back("offload.lower_bound_ms (optimality)");
  }
  return check;
}

}  // namespace nestor::report

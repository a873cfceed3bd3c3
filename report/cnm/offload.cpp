#include "report/cnm/offload.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/cnm/mapping_file.h"
#include "io/cnm/program_file.h"
#include "io/cnm/system_file.h"
#include "mapper/cnm/layer_kernel.h"
#include "report/claim_check.h"
#include "report/cnm/result_json.h"
#include "report/keys/cnm.h"
#include "report/keys/common.h"
#include "report/results/output_fields.h"
#include "report/results/result_parts.h"
#include "report/tables/table.h"

namespace nestor::report {
namespace {

using io::Fields;
using io::Json;
using io::put;
using io::put_json;
using io::put_list;
using io::put_word;

double ms_of(Int ps) { return static_cast<double>(ps) / 1e9; }

std::string ms_digits(Int ps) {
  return fmt::format("{}.{:06} ms", ps / 1'000'000'000, ps % 1'000'000'000 / 1000);
}

// A kernel of the program, on the system where it runs.
struct KernelOfProgram {
  std::string name;
  std::string system;
  KernelRecord kernel;
};

void describe_kernel_of_program(Fields& fields, const KernelOfProgram& kernel) {
  put(fields, key::name, kernel.name, "Name of the operation.");
  put(fields, key::system, kernel.system, "");
  describe_kernel(fields, kernel.kernel);
}

std::vector<KernelOfProgram> kernels_of(const OffloadRun& run) {
  std::vector<KernelOfProgram> kernels;
  for (const auto& [index, task, estimate] : run.kernels) {
    const cnm::System& system = run.systems[index];
    kernels.push_back({task.name, system.name, estimated_record(task, estimate, system)});
  }
  return kernels;
}

Json times_schema() { return io::map_schema({}, io::schema_of_type<double>()); }

void describe_offload(Fields& fields, const OffloadRun& run) {
  const auto& problem = run.problem;
  const auto& result = run.result;
  const bool is_search = run.verb == io::Verb::map;
  const auto status = is_search ? std::optional(to_string(result.status)) : std::nullopt;
  put_word(fields, key::status, status, io::statuses.words, "How the search for the placement ended.");
  put(fields, key::lower_bound_ms, is_search ? std::optional(ms_of(result.bound_ps)) : std::nullopt, "");
  put(fields, key::time_ms, ms_of(result.cost.time_ps), "Time of all operations and transfers.");
  std::vector<std::string> placement;
  for (const std::size_t system : result.placement) placement.push_back(problem.systems[system].name);
  put(fields, key::placement, placement, "System of each operation, in the order of the program.");
  put_word(fields, key::weights, cnm::weight_words.word(problem.weights), cnm::weight_words.words,
           "move: constants are transferred, too.");
  put_word(fields, key::counted, cnm::counted_transfers.word(problem.transfers), cnm::counted_transfers.words,
           "Transfers that the time contains.");
  put(fields, key::transfers, result.cost.transfers, "Number of transfers.");
  const auto write_alone = [&] {
    Json json = Json::object();
    for (std::size_t s = 0; s < problem.systems.size(); ++s)
      if (result.alone[s]) json[problem.systems[s].name] = ms_of(result.alone[s]->time_ps);
    return json;
  };
  io::put_map(
      fields, key::alone_ms, write_alone, [] { return io::schema_of_type<double>(); },
      "Time on each system that runs all operations.");
  const auto write_links = [&] {
    Json json = Json::object();
    for (const auto& [name, is_host, link] : problem.systems)
      json[name] = {{key::to_gbs, link.to_gbs}, {key::from_gbs, link.from_gbs}, {key::us, link.us}};
    return json;
  };
  io::put_map(
      fields, key::link, write_links, [] { return times_schema(); },
      "Bandwidths and latency of the link to each system, as in its file.");
  put(fields, key::left_open, run.left_open.empty() ? std::nullopt : std::optional(run.left_open),
      "Operations whose mapping is not proved optimal.");
  put_list(fields, key::kernels, kernels_of(run), describe_kernel_of_program,
           "Operations with a mapping on the system where they run, in the order of the program.");
  io::put_json(
      fields, key::program, io::always, [&] { return io::to_json(problem.program); },
      [] {
        return io::Json{{"$ref", "cnm-program.schema.json"}};
      },
      "The program, in the form of its file.");
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

void describe_program_result(Fields& fields, io::ResultHead& head, const OffloadRun& run) {
  describe_cnm_head(fields, head);
  const auto write_systems = [&] {
    Json json = Json::array();
    for (const auto& system : run.systems) json.push_back(io::system_to_json(system));
    return json;
  };
  put_json(
      fields, key::systems, io::always, write_systems,
      [] { return io::list_schema(io::map_schema({}, Json())); },
      "The systems over which the program is placed, each in the form of its file.");
  fields.part(
      key::offload, io::always, [&](Fields& inner) { describe_offload(inner, run); },
      "Placement of the operations; results of map have a status and a bound.");
}

Json offload_json(const OffloadRun& run, const io::RunOptions& options) {
  auto head = cnm_head(run.verb, options, "program");
  return io::write_fields([&](Fields& fields) { describe_program_result(fields, head, run); });
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

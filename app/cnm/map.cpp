// nestor map for the cnm space: the best mapping of a kernel, proved.
#include "app/cnm/cnm.h"
#include "app/cnm/estimate_json.h"
#include "app/cnm/kernel_input.h"
#include "app/console.h"
#include "app/interrupt.h"
#include "app/output.h"
#include "io/cnm/csv.h"
#include "io/cnm/system_fields.h"
#include "io/table.h"
#include "mapper/cnm/map_kernel.h"

namespace nestor::app::cnm_space {
namespace {

cnm::MapRequest request_of(const io::RunOptions& options) {
  cnm::MapRequest request;
  request.pad = static_cast<Int>(options.pad);
  request.time_limit = std::min(options.run_time_limit, options.layer_time_limit);
  request.work_limit = static_cast<std::uint64_t>(options.work_limit);
  request.gap = options.gap;
  request.threads = static_cast<int>(options.threads);
  request.executor = static_cast<ExecutorKind>(options.executor);
  request.memory_bytes = static_cast<std::size_t>(options.memory_limit);
  request.interrupted = &watch_signals();
  return request;
}

std::string words(const std::vector<Int>& values) { return fmt::format("{}", fmt::join(values, " ")); }
std::string words(const std::vector<std::size_t>& values) {
  return fmt::format("{}", fmt::join(values, " "));
}

// The ranked space: a line a member, best first.
std::string ranked_csv(const std::vector<cnm::RankedMap>& ranked, const cnm::System& system) {
  std::vector<std::string> head = {"rank_in_space"};
  for (const auto& level : system.levels) head.push_back(level.name);
  for (const char* name : {"local", "block", "order", "time_ms"}) head.emplace_back(name);
  std::string text = io::csv_line(head);
  std::size_t place = 0;
  for (const auto& [map, time] : ranked) {
    fmt::format_to(std::back_inserter(text), "{}", ++place);
    for (const auto& tuple : map.tuples) fmt::format_to(std::back_inserter(text), ",{}", words(tuple));
    fmt::format_to(std::back_inserter(text), ",{},{},{:.9f}\n", words(map.block), words(map.order), time);
  }
  return text;
}

// What would another machine do? One resource changed at a time, the search made again.
io::Json explain(const cnm::Kernel& kernel, const cnm::System& system, const cnm::MapRequest& request,
                 double time_ms, bool prints) {
  const auto twice = [&](std::string_view path) {
    return std::pair<std::string, double>(path,
                                          2 * std::strtod(io::system_value(system, path).c_str(), nullptr));
  };
  const auto halved = [](Int cycles) {
    const Int half = cycles / 2;
    return static_cast<double>(half);
  };
  std::vector<std::pair<std::string, double>> changes;
  if (system.target == cnm::Target::upmem) {
    changes = {twice("levels." + system.levels[2].name),
               twice("wram.capacity"),
               twice("mram.capacity"),
               {"dma.read.per_byte", system.dma.read.per_byte / 2},
               {"dma.read.setup", system.dma.read.setup / 2},
               {"pipeline.gap", halved(system.gap + 1)},
               {"ops.mul.i32", 4}};
  } else {
    changes = {twice("levels." + system.levels[0].name),
               {"dram.tRP", halved(system.dram.tRP)},
               {"dram.tRCDRD", halved(system.dram.tRCDRD)},
               {"dram.tRFC", 0}};
  }
  io::Table table({{"changed", io::Align::left}, {"to"}, {"time"}, {"faster by"}});
  auto json = io::Json::array();
  for (const auto& [path, value] : changes) {
    cnm::System changed = system;
    if (io::set_system_value(changed, path, fmt::format("{}", value)))
      continue;  // beyond what can be modelled
    const auto result = cnm::map_kernel(kernel, changed, shipped_library(), request);
    if (result.time_ms <= 0) continue;
    table.add_row({path, fmt::format("{}", value), fmt::format("{:.4f} ms", result.time_ms),
                   fmt::format("{:.2f}", time_ms / result.time_ms)});
    json.push_back({{"changed", path},
                    {"to", value},
                    {"time_ms", result.time_ms},
                    {"status", to_string(result.status)}});
  }
  if (prints) print_text(table.to_string());
  return json;
}

io::Error infeasible(const KernelInput& input, const std::string& why) {
  io::Error error;
  error.kind = io::ErrorKind::infeasible;
  error.where.file = input.file;
  error.message = why;
  return error;
}

}  // namespace

io::Result<Outcome> map(const io::RunOptions& options) {
  const auto system = read_system(options);
  if (!system) return system.error();
  if (options.inputs.size() != 1)
    return io::usage_error(fmt::format("expected one kernel, found {} inputs", options.inputs.size()));
  const auto input = read_kernel(options.inputs.front(), options, *system);
  if (!input) return input.error();
  if (!input->kernel)
    return io::usage_error("a kernel that is lowered already cannot be mapped: expected MLIR");
  const auto library = shipped_library();
  const auto request = request_of(options);
  const auto result = cnm::map_kernel(*input->kernel, *system, library, request);
  if (!result.refusal.empty()) return infeasible(*input, result.refusal);
  if (result.status == Status::infeasible)
    return infeasible(*input, "no mapping of this kernel is legal on the system");
  const bool prints = prints_tables(options);
  auto json = head_json("map", input->name, *system, options);
  json["status"] = to_string(result.status);
  json["objective"] = "time";
  if (result.time_ms > 0) json["time_ms"] = result.time_ms;
  json["lower_bound_ms"] = result.bound_ms;
  auto maps = io::Json::array();
  if (result.time_ms > 0) {
    const auto estimate = cnm::estimate_kernel(result.kernel, {result.map}, *system, library);
    if (!estimate.refusal.empty())
      return io::internal_error("the mapping found is refused: " + estimate.refusal);
    if (cnm::cost_of(estimate.time_ms) != cnm::cost_of(result.time_ms))
      return io::internal_error("the mapping found costs another time than was counted");
    maps.push_back(map_json(&estimate.maps[0].map, estimate.maps[0].estimate, *system, 1));
    if (prints) {
      print_text(estimate_table_text(estimate, *system));
      if (!estimate.note.empty()) print("{}\n", estimate.note);
    }
  }
  json["maps"] = std::move(maps);
  json["search"] = {{"branches", result.branches},
                    {"work", result.work},
                    {"estimates", result.estimates},
                    {"seconds", result.seconds}};
  if (prints)
    print("{}: bound {:.4f} ms, {} branches, {} expanded, {:.2f} s\n", to_string(result.status),
          result.bound_ms, result.branches, result.work, result.seconds);
  if (!options.all.empty() || options.top > 1) {
    const auto ranked = cnm::rank_mappings(result.kernel, *system, library,
                                           options.all.empty() ? static_cast<std::size_t>(options.top) : 0);
    if (!options.all.empty())
      if (auto error = io::write_file(options.all, ranked_csv(ranked, *system))) return *error;
    auto top = io::Json::array();
    io::Table table({{"place"},
                     {"tuples", io::Align::left},
                     {"block", io::Align::left},
                     {"order", io::Align::left},
                     {"time"}});
    for (std::size_t i = 0; i < std::min(ranked.size(), static_cast<std::size_t>(options.top)); ++i) {
      const auto& [map, time] = ranked[i];
      top.push_back({{"tuples", map.tuples}, {"block", map.block}, {"order", map.order}, {"time_ms", time}});
      table.add_row({fmt::format("{}", i + 1), tuples_text(map), words(map.block), words(map.order),
                     fmt::format("{:.6f} ms", time)});
    }
    json["top"] = std::move(top);
    if (prints && options.top > 1) print_text(table.to_string());
  }
  if (options.explain) json["explanation"] = explain(result.kernel, *system, request, result.time_ms, prints);
  if (auto error = write_json_output(options, json)) return *error;
  const bool proved = result.status == Status::optimal || result.status == Status::gap_reached;
  return proved ? Outcome::solved : Outcome::limited;
}

}  // namespace nestor::app::cnm_space

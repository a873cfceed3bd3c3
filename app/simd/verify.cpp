#include "app/simd/simd.h"

#include "app/console.h"
#include "app/output.h"
#include "io/files.h"
#include "io/netlist/read_netlist.h"
#include "io/netlist/schedule_file.h"
#include "io/table.h"
#include "io/units.h"

namespace nestor::app::simd_space {
namespace {

struct Check {
  std::vector<std::string> findings;  ///< at most one: the replay stops there
  simd::ScheduleFigures figures;
  simd::MapReport mapping;
  std::uint32_t rows = 0;
};

// A schedule that can be read but is of another netlist is a claim that fails, not bad input.
io::Result<Check> check_schedule(const std::string& text, const std::string& file,
                                 const io::RunOptions& options) {
  const auto parsed = io::parse_schedule(text, file);
  if (!parsed) return parsed.error();
  auto network = io::read_netlist(options.netlist);
  if (!network) return network.error();
  const auto source = network->netlist;
  const auto mapped = simd::map_to_xmg(std::move(network).value(), map_policy(options));

  Check check;
  check.mapping = mapped.report;
  check.rows = parsed->schedule.rows;
  const auto schedule = io::resolve_schedule(*parsed, mapped.netlist, file);
  if (!schedule) {
    check.findings.push_back(schedule.error().to_string());
    return check;
  }
  const auto verdict = simd::verify_schedule(mapped.netlist, source, *schedule);
  check.figures = verdict.figures;
  if (verdict.fault) {
    const auto line = io::line_of(*parsed, *verdict.fault, mapped.netlist);
    check.findings.push_back(
        io::input_error({file, static_cast<int>(line), 0}, verdict.fault->message).to_string());
  }
  return check;
}

std::string count(std::uint64_t number) { return io::count_text(static_cast<Int>(number)); }

io::Json to_json(const Check& check) {
  io::Json json = {{"schema", "nestor.schedule-verification/1"},
                   {"version", NESTOR_VERSION},
                   {"confirmed", check.findings.empty()},
                   {"findings", check.findings},
                   {"gates_before_mapping", check.mapping.gates_before},
                   {"nodes", check.mapping.gates_after}};
  if (!check.findings.empty()) return json;
  const auto& figures = check.figures;
  json["computes"] = figures.computes;
  json["copies"] = figures.copies;
  json["energy"] = figures.energy();
  json["rows"] = check.rows;
  json["rows_used"] = figures.rows_used;
  json["arrays_used"] = figures.arrays_used;
  json["patterns"] = figures.patterns;
  json["exhaustive"] = figures.exhaustive;
  return json;
}

void print_check(const Check& check) {
  for (const auto& finding : check.findings) print("{}\nNOT confirmed\n", finding);
  if (!check.findings.empty()) return;
  const auto& figures = check.figures;
  io::Table table({{"nodes"}, {"computes"}, {"copies"}, {"energy"}, {"arrays"}, {"rows used"}, {"patterns"}});
  table.add_row({count(figures.nodes), count(figures.computes), count(figures.copies),
                 fmt::format("{:.2f}", figures.energy()), count(figures.arrays_used),
                 fmt::format("{} of {}", figures.rows_used, check.rows),
                 fmt::format("{}{}", figures.exhaustive ? "all " : "", count(figures.patterns))});
  print("{}confirmed\n", table.to_string());
}

}  // namespace

simd::MapPolicy map_policy(const io::RunOptions& options) {
  return options.remap ? simd::MapPolicy::always : simd::MapPolicy::when_needed;
}

bool owns(std::string_view /*path*/, std::string_view head) { return head.starts_with("nestor-schedule"); }

io::Result<Outcome> verify(const io::RunOptions& options) {
  if (options.inputs.size() != 1) {
    return io::usage_error(fmt::format("expected one schedule, found {} inputs", options.inputs.size()));
  }
  if (options.netlist.empty())
    return io::usage_error("a schedule is verified against its netlist: --netlist FILE");
  const auto& file = options.inputs.front();
  const auto text = io::read_file(file, io::netlist_size_limit);
  if (!text) return text.error();
  const auto check = check_schedule(*text, file, options);
  if (!check) return check.error();
  if (prints_tables(options)) print_check(*check);
  if (const auto error = write_json_output(options, to_json(*check))) return *error;
  return check->findings.empty() ? Outcome::solved : Outcome::limited;
}

}  // namespace nestor::app::simd_space

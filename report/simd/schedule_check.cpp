#include "report/simd/schedule_check.h"

#include <fmt/format.h>

#include "report/tables/table.h"
#include "report/tables/units.h"

namespace nestor::report {
namespace {

std::string count(std::uint64_t number) { return io::count_text(static_cast<Int>(number)); }

}  // namespace

io::Json schedule_check_json(const ScheduleCheck& check) {
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

std::string schedule_check_text(const ScheduleCheck& check) {
  if (!check.findings.empty()) return check.findings.front() + "\nNOT confirmed\n";
  const auto& figures = check.figures;
  io::Table table({{"nodes"}, {"computes"}, {"copies"}, {"energy"}, {"arrays"}, {"rows used"}, {"patterns"}});
  table.add_row({count(figures.nodes), count(figures.computes), count(figures.copies),
                 fmt::format("{:.2f}", figures.energy()), count(figures.arrays_used),
                 fmt::format("{} of {}", figures.rows_used, check.rows),
                 fmt::format("{}{}", figures.exhaustive ? "all " : "", count(figures.patterns))});
  return table.to_string() + "confirmed\n";
}

}  // namespace nestor::report

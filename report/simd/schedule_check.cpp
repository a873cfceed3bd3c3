#include "report/simd/schedule_check.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "report/keys/common.h"
#include "report/keys/simd.h"
#include "report/tables/table.h"
#include "report/tables/units.h"

namespace nestor::report {
namespace {

// Parts of a result that a schedule does not determine.
constexpr std::array<std::string_view, 4> not_checked = {
    "lower_bound (whether no schedule has fewer copies)", "convergence (times and work)", "search",
    "copies_by_cause.fanin, eviction (only their sum is checked)"};

std::string amount_text(std::uint64_t number) { return io::count_text(static_cast<Int>(number)); }

}  // namespace

io::Json schedule_check_json(const ScheduleCheck& check) {
  io::Json json = {{key::schema, "nestor.schedule-verification/1"},
                   {key::version, NESTOR_VERSION},
                   {key::confirmed, check.findings.empty()},
                   {key::findings, check.findings},
                   {"gates_before_mapping", check.mapping.gates_before},
                   {key::nodes, check.mapping.gates_after}};
  if (!check.findings.empty()) return json;
  const auto& figures = check.figures;
  json[key::computes] = figures.computes;
  json[key::copies] = figures.copies;
  json[key::energy] = figures.energy(check.energy);
  json[key::rows] = check.rows;
  json[key::rows_used] = figures.rows_used;
  json[key::arrays_used] = figures.arrays_used;
  json[key::patterns] = figures.patterns;
  json[key::exhaustive] = figures.exhaustive;
  if (check.claims) json[key::not_checked] = not_checked;
  return json;
}

std::string schedule_check_text(const ScheduleCheck& check) {
  if (!check.findings.empty()) return fmt::format("{}\nNOT confirmed\n", fmt::join(check.findings, "\n"));
  const auto& figures = check.figures;
  io::Table table({{"nodes"}, {"computes"}, {"copies"}, {"energy"}, {"arrays"}, {"rows used"}, {"patterns"}});
  table.add_row({amount_text(figures.nodes), amount_text(figures.computes), amount_text(figures.copies),
                 fmt::format("{:.2f}", figures.energy(check.energy)), amount_text(figures.arrays_used),
                 fmt::format("{} of {}", figures.rows_used, check.rows),
                 fmt::format("{}{}", figures.exhaustive ? "all " : "", amount_text(figures.patterns))});
  return table.to_string() + "confirmed\n";
}

}  // namespace nestor::report

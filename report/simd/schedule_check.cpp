#include "report/simd/schedule_check.h"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <string_view>

#include "report/keys/common.h"
#include "report/keys/proof.h"
#include "report/keys/simd.h"
#include "report/results/output_fields.h"
#include "report/run_record.h"
#include "report/tables/table.h"
#include "report/tables/units.h"
#include "report/verify/comparison.h"

namespace nestor::report {
namespace {

using io::Comparison;
using io::Json;
using io::value_or_null;

// Parts of a result that a schedule does not determine.
constexpr std::array<std::string_view, 4> not_checked = {
    "lower_bound (whether no schedule has fewer copies)", "convergence (times and work)", "search",
    "copies_by_cause.fanin, eviction (only their sum is checked)"};

// Returns the only input, the netlist. The same netlist can be in another file.
Json expected_inputs(const Json& claims, const std::string& file) {
  auto input = io::input_to_json(describe_file(key::netlist, file));
  const auto& claimed = value_or_null(claims, key::inputs);
  if (claimed.is_array() && !claimed.empty()) input[key::name] = value_or_null(claimed[0], key::name);
  return Json::array({std::move(input)});
}

// Checks status and bound. No schedule has fewer copies than the bound, and a schedule with exactly that many
// is optimal, unless the objective includes distances.
void check_bound(const Json& claims, bool counts_distances, Json& expected, Comparison& comparison) {
  const auto& bound = value_or_null(claims, key::lower_bound);
  const auto& least = value_or_null(bound, key::copies);
  const auto& status = value_or_null(claims, key::status);
  expected[key::lower_bound] = {{key::copies, 0}, {key::argument, value_or_null(bound, key::argument)}};
  expected[key::status] = status;
  if (!io::is_how_a_search_ends(status)) comparison.find("status is not a status of a schedule");
  if (!least.is_number_unsigned()) return comparison.find("lower_bound.copies is not a count");
  const auto number = least.get<std::uint64_t>();
  const auto copies = expected[key::copies].get<std::uint64_t>();
  expected[key::lower_bound][key::copies] = number;
  if (number > copies)
    comparison.find(
        fmt::format("lower_bound.copies is {}, above the {} copies of the schedule", number, copies));
  const bool is_least = number == copies && !counts_distances;
  if (io::is_how_a_search_ends(status) && (status == "optimal") != is_least)
    comparison.find(fmt::format("status is '{}' with {} copies and a lower bound of {}",
                                status.get<std::string>(), copies, number));
}

void check_causes(const Json& claims, const Json& by_pair, Json& expected, Comparison& comparison) {
  const auto& causes = value_or_null(claims, key::copies_by_cause);
  const auto &fanins = value_or_null(causes, key::fanin), &evictions = value_or_null(causes, key::eviction);
  const auto copies = expected[key::copies].get<std::uint64_t>();
  if (!fanins.is_number_unsigned() || !evictions.is_number_unsigned() ||
      fanins.get<std::uint64_t>() > copies ||
      fanins.get<std::uint64_t>() + evictions.get<std::uint64_t>() != copies)
    comparison.find("the entries of copies_by_cause do not add up to the copies");
  expected[key::copies_by_cause] = {
      {key::fanin, fanins}, {key::eviction, evictions}, {key::by_pair, by_pair}};
}

// Checks the best schedules in the order in which they were found: work never decreases, and the number of
// copies always decreases.
void check_convergence(const Json& claims, Comparison& comparison) {
  comparison.pass(key::convergence);
  const auto& steps = value_or_null(claims, key::convergence);
  if (!steps.is_array()) return comparison.find("convergence is missing");
  std::uint64_t work = 0;
  std::uint64_t copies = std::numeric_limits<std::uint64_t>::max();
  for (const Json& step : steps) {
    const auto &worked = value_or_null(step, key::work), &had = value_or_null(step, key::copies),
               &seconds = value_or_null(step, key::seconds);
    if (step.size() != 3 || !worked.is_number_unsigned() || !had.is_number_unsigned() ||
        !seconds.is_number() || seconds.get<double>() < 0)
      return comparison.find("convergence has an entry without seconds, work and copies");
    if (worked.get<std::uint64_t>() < work || had.get<std::uint64_t>() >= copies)
      return comparison.find("convergence is not in order of increasing work and decreasing copies");
    work = worked.get<std::uint64_t>();
    copies = had.get<std::uint64_t>();
  }
}

// Only the keys of `search` are checked.
Json expected_search(const Json& claims) {
  const auto& search = value_or_null(claims, key::search);
  auto expected = Json::object();
  for (const char* const key :
       {key::seconds, key::work, key::planned_work, key::constructions, key::passes, key::labels})
    if (search.contains(key)) expected[key] = search[key];
  return expected;
}

}  // namespace

void check_claims(const Json& claims, const ScheduledNetlist& netlist, const std::string& netlist_file,
                  const simd::EnergyModel& energy, std::uint64_t patterns, ScheduleCheck& check) {
  Comparison comparison(check.verdict);
  const auto& figures = check.figures;
  // The options determine the settings. Options that are not given have their defaults.
  const auto asked = options_of_result(value_or_null(claims, key::options), io::Verb::schedule, "simd",
                                       check.verdict.findings);
  ScheduleTotals totals = {figures[key::nodes], figures[key::copies], figures[key::energy],
                           asked.schedule_objective};
  const auto objective = objective_of(totals.objective, totals.copies, totals.energy);
  Json expected = {{key::schema, io::result_schema},
                   {key::space, "simd"},
                   {key::verb, io::to_string(io::Verb::schedule)},
                   {key::inputs, expected_inputs(claims, netlist_file)},
                   {key::objective, {{key::name, objective.name}, {key::value, objective.value}}},
                   {key::netlist, netlist_json(netlist)},
                   {key::method, simd::to_string(asked.method)},
                   {key::rows, asked.rows},
                   {key::array_limit, asked.arrays.value_or(0)},
                   {key::recompute, asked.recompute},
                   {key::search, expected_search(claims)}};
  for (const char* const key : {key::rows, key::array_limit, key::recompute})
    if (figures[key] != expected[key])
      comparison.find(fmt::format("{} is {} in the schedule, but the options set {}", key,
                                  figures[key].dump(), expected[key].dump()));
  for (const char* const key : {key::copies, key::computes, key::energy, key::arrays_used, key::rows_used,
                                key::occupancy, key::verified})
    expected[key] = figures[key];
  if (figures[key::verified][key::exhaustive] == false) expected[key::verified][key::patterns] = patterns;
  const bool counts_distances = asked.schedule_objective == simd::ScheduleObjective::energy &&
                                energy.copy_step > 0 && figures["arrays_passed"] != 0;
  check_bound(claims, counts_distances, expected, comparison);
  check_causes(claims, figures[key::by_pair], expected, comparison);
  check_convergence(claims, comparison);
  totals.least_copies = expected[key::lower_bound][key::copies].get<std::uint64_t>();
  expected[key::totals] =
      io::write_fields([&](io::Fields& fields) { describe_schedule_totals(fields, totals); });
  comparison.pass(key::version);
  comparison.pass(key::options);
  comparison.pass(key::schedule);
  comparison.compare(claims, expected, "", "");
  check.verdict.not_checked.assign(not_checked.begin(), not_checked.end());
}

namespace {

void describe_schedule_check(io::Fields& fields, const ScheduleCheck& check) {
  using io::put;
  const auto& verdict = check.verdict;
  const bool is_confirmed = verdict.findings.empty();
  const auto figure = [&](const char* key, const Json& figures, const auto& schema,
                          std::string_view meaning) {
    put_json(
        fields, key, io::optional, [&] { return is_confirmed ? value_or_null(figures, key) : Json(); },
        [&] { return schema(); }, meaning);
  };
  const auto count = [&](const char* key, std::string_view meaning) {
    figure(key, check.figures, io::count_schema, meaning);
  };
  const auto& verified = value_or_null(check.figures, key::verified);
  fields.constant(key::schema, "nestor.schedule-verification/1", io::always, "");
  put(fields, key::version, std::string_view(NESTOR_VERSION),
      "Version of the tool that verified the result.");
  put(fields, key::confirmed, is_confirmed, "");
  put(fields, key::findings, verdict.findings,
      "Errors found, one sentence each; empty if and only if everything is confirmed.");
  put(fields, "gates_before_mapping", check.mapping.gates_before, "");
  put(fields, key::nodes, check.mapping.gates_after, "Number of nodes of the scheduled netlist.");
  count(key::computes,
        "Number of computes. This key and the following ones are present only if `confirmed` is true.");
  count(key::copies, "");
  figure(key::energy, check.figures, io::schema_of_type<double>, "Energy in units of one compute.");
  count(key::rows, "Number of rows of every array.");
  count(key::rows_used, "Maximum number of rows used in one array.");
  count(key::arrays_used, "");
  figure(key::patterns, verified, io::count_schema, "Number of input patterns replayed.");
  figure(key::exhaustive, verified, io::schema_of_type<bool>,
         "True if these were all possible input patterns.");
  put(fields, key::not_checked,
      is_confirmed && !verdict.not_checked.empty() ? std::optional(verdict.not_checked) : std::nullopt,
      "Parts of a result that a schedule does not determine.");
}

}  // namespace

Json schedule_check_json(const ScheduleCheck& check) {
  return io::write_fields([&](io::Fields& fields) { describe_schedule_check(fields, check); });
}

Json schedule_check_schema() {
  return io::schema_of([](io::Fields& fields) { describe_schedule_check(fields, {}); },
                       io::SchemaKind::output);
}

std::string schedule_check_text(const ScheduleCheck& check) {
  const auto& findings = check.verdict.findings;
  if (!findings.empty()) return fmt::format("{}\nNOT confirmed\n", fmt::join(findings, "\n"));
  const auto& figures = check.figures;
  const auto amount = [&](const char* key) { return io::count_text(figures[key].get<Int>()); };
  const auto& verified = figures[key::verified];
  io::Table table({{"nodes"}, {"computes"}, {"copies"}, {"energy"}, {"arrays"}, {"rows used"}, {"patterns"}});
  table.add_row({amount(key::nodes), amount(key::computes), amount(key::copies),
                 fmt::format("{:.2f}", figures[key::energy].get<double>()), amount(key::arrays_used),
                 fmt::format("{} of {}", figures[key::rows_used].get<Int>(), figures[key::rows].get<Int>()),
                 fmt::format("{}{}", verified[key::exhaustive].get<bool>() ? "all " : "",
                             io::count_text(verified[key::patterns].get<Int>()))});
  return table.to_string() + "confirmed\n";
}

}  // namespace nestor::report

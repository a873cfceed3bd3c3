#include "report/simd/schedule_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/split.h"
#include "io/checked_reader.h"
#include "io/netlist/energies.h"
#include "model/simd/method.h"
#include "report/keys/common.h"
#include "report/keys/proof.h"
#include "report/keys/simd.h"
#include "report/results/result_parts.h"
#include "report/results/simd/schedule_file.h"
#include "report/run_record.h"
#include "report/simd/schedule_run.h"
#include "report/verify/comparison.h"

namespace nestor::report {
namespace {

using io::Json;

bool is_json(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{';
}

// Returns the lines of a result's schedule.
io::Result<std::string> text_of(const io::Node& root) {
  io::Reading reading;
  const auto schedule = root.find(key::schedule);
  if (!schedule)
    return io::input_error(root.where(),
                           "has no key 'schedule', expected a schedule or a result of `nestor schedule`");
  std::string text;
  for (const auto& line : io::read_list(*schedule, key::schedule, 1, io::result_limits.nodes, reading)) {
    text += io::read_text(line, "a line of the schedule", reading);
    text += '\n';
  }
  if (reading.failed()) return reading.error();
  return text;
}

// True if the document has any key besides the two that `show` writes.
bool is_result(const Json& document) {
  if (!document.is_object()) return false;
  for (const auto& [name, value] : document.items())
    if (name != key::space && name != key::schedule) return true;
  return false;
}

Json member_of(const Json& object, const char* key) {
  return object.is_object() && object.contains(key) ? object[key] : Json();
}

// True if the figures agree. Energies are sums of decimals, so they may differ by rounding; all other figures
// must be equal.
bool agree(const Json& claimed, const Json& found) {
  constexpr double tolerance = 1e-9;
  if (!claimed.is_number_float() && !found.is_number_float()) return claimed == found;
  if (!claimed.is_number() || !found.is_number()) return false;
  const double difference = std::abs(claimed.get<double>() - found.get<double>());
  return difference <= tolerance * std::abs(found.get<double>());
}

class Claims {
 public:
  void compare(const std::string& name, const Json& claimed, const Json& found) {
    if (found.is_object()) {
      for (const auto& [key, value] : found.items())
        compare(name + "." + key, member_of(claimed, key.c_str()), value);
    } else if (!agree(claimed, found)) {
      constexpr std::size_t most = 60;
      const auto shown = [](const Json& value) {
        return value.is_null() ? "missing"
                               : value.dump(-1, ' ', false, Json::error_handler_t::replace).substr(0, most);
      };
      add(fmt::format("{} is {}, found {}", name, shown(claimed), shown(found)));
    }
  }
  void add(std::string finding) { findings_.push_back(std::move(finding)); }
  std::vector<std::string> take() { return std::move(findings_); }

 private:
  std::vector<std::string> findings_;
};

// Checks the status. No schedule has fewer copies than the bound, and a schedule with exactly that many is
// optimal, unless the objective includes distances.
void check_status(const Json& result, const simd::ScheduleFigures& figures, const simd::EnergyModel& energy,
                  Claims& claims) {
  const std::uint64_t copies = figures.copies;
  const Json status = member_of(result, key::status);
  const Json bound = member_of(member_of(result, key::lower_bound), key::copies);
  const auto* const word = status.is_string() ? status.get_ptr<const Json::string_t*>() : nullptr;
  if (word == nullptr || !io::is_how_a_search_ends(status))
    return claims.add("status is not a status of a schedule");
  if (!bound.is_number_unsigned()) return claims.add("lower_bound.copies is not a count");
  if (bound.get<std::uint64_t>() > copies)
    claims.add(fmt::format("lower_bound.copies is {}, above the {} copies of the schedule",
                           bound.get<std::uint64_t>(), copies));
  const bool counts_distances =
      energy.copy_step > 0 && member_of(member_of(result, key::objective), key::name) == Json("energy");
  const bool is_least =
      bound.get<std::uint64_t>() == copies && (!counts_distances || figures.arrays_passed == 0);
  if ((*word == "optimal") != is_least)
    claims.add(fmt::format("status is '{}' with {} copies and a lower bound of {}", *word, copies,
                           bound.get<std::uint64_t>()));
}

void check_causes(const Json& result, const simd::Schedule& schedule, std::uint64_t copies, Claims& claims) {
  const Json causes = member_of(result, key::copies_by_cause);
  const Json fanins = member_of(causes, key::fanin), evictions = member_of(causes, key::eviction);
  if (!fanins.is_number_unsigned() || !evictions.is_number_unsigned() ||
      fanins.get<std::uint64_t>() > copies ||
      fanins.get<std::uint64_t>() + evictions.get<std::uint64_t>() != copies)
    claims.add("the entries of copies_by_cause do not add up to the copies");
  claims.compare("copies_by_cause.by_pair", member_of(causes, key::by_pair), copies_by_pair(schedule));
}

// Checks the settings against the options. Options that are not given have their defaults.
void check_options(const Json& result, const simd::ScheduleFigures& figures, const simd::EnergyModel& energy,
                   Claims& claims) {
  const Json options = member_of(result, key::options);
  if (!options.is_object()) return claims.add("options is missing");
  io::RunOptions asked;
  for (const auto& [name, value] : options.items())
    if (!value.is_string() ||
        io::set_option(asked, io::Verb::schedule, name, value.get<std::string>()).has_value())
      claims.add(fmt::format("options.{} is not an option of schedule", name));
  claims.compare(key::rows, member_of(result, key::rows), asked.rows);
  claims.compare(key::array_limit, member_of(result, key::array_limit), asked.arrays.value_or(0));
  claims.compare(key::recompute, member_of(result, key::recompute), asked.recompute);
  claims.compare(key::method, member_of(result, key::method), simd::to_string(asked.method));
  const auto [name, model, value] = objective_of(asked.schedule_objective, figures, energy);
  claims.compare(key::objective, member_of(result, key::objective), {{key::name, name}, {key::value, value}});
}

// Checks that the only input is the netlist. The same netlist can be in another file.
void check_input(const Json& result, const std::string& netlist_file, Claims& claims) {
  const Json inputs = member_of(result, key::inputs);
  if (!inputs.is_array() || inputs.size() != 1) return claims.add("inputs does not list the netlist alone");
  Json found = io::input_to_json(describe_file(key::netlist, netlist_file));
  found.erase(key::name);
  claims.compare("inputs[0]", inputs[0], found);
}

// Checks the best schedules in the order in which they were found: work never decreases, and the number of
// copies always decreases.
void check_convergence(const Json& result, Claims& claims) {
  const Json steps = member_of(result, key::convergence);
  if (!steps.is_array()) return claims.add("convergence is missing");
  std::uint64_t work = 0;
  std::uint64_t copies = std::numeric_limits<std::uint64_t>::max();
  for (const Json& step : steps) {
    const Json worked = member_of(step, key::work), had = member_of(step, key::copies),
               seconds = member_of(step, key::seconds);
    if (step.size() != 3 || !worked.is_number_unsigned() || !had.is_number_unsigned() ||
        !seconds.is_number() || seconds.get<double>() < 0)
      return claims.add("convergence has an entry without seconds, work and copies");
    if (worked.get<std::uint64_t>() < work || had.get<std::uint64_t>() >= copies)
      return claims.add("convergence is not in order of increasing work and decreasing copies");
    work = worked.get<std::uint64_t>();
    copies = had.get<std::uint64_t>();
  }
}

// Checks that a result has no unknown keys.
void check_keys(const Json& result, Claims& claims) {
  const auto only = [&](const std::string& what, const Json& object,
                        std::initializer_list<std::string_view> keys) {
    if (!object.is_object()) return;
    for (const auto& [name, value] : object.items())
      if (std::find(keys.begin(), keys.end(), name) == keys.end())
        claims.add(fmt::format("{}{} is not a key of a schedule's result", what, name));
  };
  only("", result, {key::schema,      key::version,         key::space,       key::verb,
                    key::options,     key::inputs,          key::objective,   key::netlist,
                    key::method,      key::status,          key::lower_bound, key::rows,
                    key::array_limit, key::recompute,       key::copies,      key::computes,
                    key::energy,      key::arrays_used,     key::rows_used,   key::occupancy,
                    key::verified,    key::copies_by_cause, key::convergence, key::search,
                    key::schedule,    key::totals});
  only("netlist.", member_of(result, key::netlist),
       {key::name, key::inputs, key::outputs, key::nodes_before_mapping, key::restructured, key::nodes});
  only("objective.", member_of(result, key::objective), {key::name, key::value});
  only("lower_bound.", member_of(result, key::lower_bound), {key::copies, key::argument});
  only("occupancy.", member_of(result, key::occupancy), {key::after_instructions, key::arrays});
  only("verified.", member_of(result, key::verified), {key::patterns, key::exhaustive});
  only("copies_by_cause.", member_of(result, key::copies_by_cause),
       {key::fanin, key::eviction, key::by_pair});
  only("search.", member_of(result, key::search),
       {key::seconds, key::work, key::planned_work, key::constructions, key::passes, key::labels});
}

void check_totals(const Json& result, const simd::ScheduleFigures& figures, const simd::EnergyModel& energy,
                  Claims& claims) {
  const Json totals = member_of(result, key::totals);
  const auto objective = member_of(member_of(result, key::objective), key::name) == Json("energy")
                             ? simd::ScheduleObjective::energy
                             : simd::ScheduleObjective::copies;
  const Json bound = member_of(member_of(result, key::lower_bound), key::copies);
  const auto least = bound.is_number_unsigned() ? bound.get<std::uint64_t>() : 0;
  const Json found = totals_json(figures, energy, objective, least);
  claims.compare(key::totals, totals, found);
  if (totals.size() != found.size()) claims.add("totals has a key that a schedule's result does not have");
}

}  // namespace

io::Result<ScheduleSource> read_schedule_source(const std::string& file) {
  auto text = io::read_file(file, io::schedule_size_limit);
  if (!text) return text.error();
  ScheduleSource source;
  if (!is_json(*text)) {
    source.text = std::move(*text);
    return source;
  }
  const auto document = io::Document::parse(*text, file, io::result_limits);
  if (!document) return document.error();
  if (document->root().find(key::schema))
    if (auto error = io::check_schema(document->root())) return *error;
  auto schedule = text_of(document->root());
  if (!schedule) return schedule.error();
  source.text = std::move(*schedule);
  auto result = Json::parse(*text, nullptr, false);
  if (const auto inputs = member_of(result, key::inputs); inputs.is_array())
    for (const Json& input : inputs)
      if (const auto name = member_of(input, key::name);
          member_of(input, key::role) == key::netlist && name.is_string())
        source.netlist = name.get<std::string>();
  if (is_result(result)) source.result = std::move(result);
  return source;
}

io::Result<simd::EnergyModel> energy_of_options(const Json& result) {
  const Json given = member_of(member_of(result, key::options), "set");
  return given.is_string() ? io::read_energies(io::split_words(given.get<std::string>()))
                           : simd::EnergyModel{};
}

io::Json shown_schedule_json(const ScheduleSource& source) {
  if (!source.result.is_null()) return source.result;
  std::vector<std::string> lines;
  for (const std::string_view line : split_list(source.text, '\n')) lines.emplace_back(line);
  return {{key::space, "simd"}, {key::schedule, std::move(lines)}};
}

std::vector<std::string> false_claims(const Json& result, const ScheduledNetlist& netlist,
                                      const std::string& netlist_file, const simd::Schedule& schedule,
                                      const simd::ScheduleFigures& figures, const simd::EnergyModel& energy) {
  Claims claims;
  claims.compare(key::schema, member_of(result, key::schema), Json(io::result_schema));
  claims.compare(key::verb, member_of(result, key::verb), io::to_string(io::Verb::schedule));
  check_keys(result, claims);
  claims.compare(key::netlist, member_of(result, key::netlist), netlist_json(netlist));
  const Json found = figures_json(schedule, figures, energy);
  for (const auto& [name, value] : found.items())
    claims.compare(name, member_of(result, name.c_str()), value);
  check_status(result, figures, energy, claims);
  check_causes(result, schedule, figures.copies, claims);
  check_options(result, figures, energy, claims);
  check_input(result, netlist_file, claims);
  check_convergence(result, claims);
  check_totals(result, figures, energy, claims);
  return claims.take();
}

}  // namespace nestor::report

#include "report/simd/schedule_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/split.h"
#include "io/checked_reader.h"
#include "model/simd/method.h"
#include "report/keys/common.h"
#include "report/keys/proof.h"
#include "report/keys/simd.h"
#include "report/results/result_parts.h"
#include "report/results/simd/schedule_file.h"
#include "report/simd/schedule_run.h"

namespace nestor::report {
namespace {

using io::Json;

bool is_json(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{';
}

// The lines of a result's schedule.
io::Result<std::string> text_of(const io::Node& root) {
  io::Reading reading;
  const auto schedule = root.find(key::schedule);
  if (!schedule)
    return io::input_error(root.where(), "has no 'schedule', expected a schedule or a result of schedule");
  std::string text;
  for (const auto& line : io::read_list(*schedule, key::schedule, 1, io::result_limits.nodes, reading)) {
    text += io::read_text(line, "a line of the schedule", reading);
    text += '\n';
  }
  if (reading.failed()) return reading.error();
  return text;
}

Json at(const Json& object, const char* key) {
  return object.is_object() && object.contains(key) ? object[key] : Json();
}

// Energies are sums of decimals; every other figure is equal or wrong.
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
        compare(name + "." + key, at(claimed, key.c_str()), value);
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

// No schedule has fewer copies than the bound; where it has as many, it is an optimum.
void check_status(const Json& result, std::uint64_t copies, Claims& claims) {
  constexpr std::array<std::string_view, 7> statuses = {
      "optimal", "completed", "effort_spent", "time_limit", "work_limit", "memory_limit", "interrupted"};
  const Json status = at(result, key::status);
  const Json bound = at(at(result, key::lower_bound), key::copies);
  const auto* const word = status.is_string() ? status.get_ptr<const Json::string_t*>() : nullptr;
  if (word == nullptr || std::find(statuses.begin(), statuses.end(), *word) == statuses.end())
    return claims.add("status is no status of a schedule");
  if (!bound.is_number_unsigned()) return claims.add("lower_bound.copies is no count");
  if (bound.get<std::uint64_t>() > copies)
    claims.add(fmt::format("lower_bound.copies is {}, above the {} copies of the schedule",
                           bound.get<std::uint64_t>(), copies));
  if ((*word == "optimal") != (bound.get<std::uint64_t>() == copies))
    claims.add(fmt::format("status is '{}' with {} copies and a lower bound of {}", *word, copies,
                           bound.get<std::uint64_t>()));
}

void check_causes(const Json& result, const simd::Schedule& schedule, std::uint64_t copies, Claims& claims) {
  const Json causes = at(result, key::copies_by_cause);
  const Json fanins = at(causes, key::fanin), evictions = at(causes, key::eviction);
  if (!fanins.is_number_unsigned() || !evictions.is_number_unsigned() ||
      fanins.get<std::uint64_t>() > copies ||
      fanins.get<std::uint64_t>() + evictions.get<std::uint64_t>() != copies)
    claims.add("copies_by_cause does not add up to the copies");
  claims.compare("copies_by_cause.by_pair", at(causes, key::by_pair), copies_by_pair(schedule));
}

// What was asked for, said twice.
void check_options(const Json& result, Claims& claims) {
  const Json options = at(result, key::options);
  const std::array<std::pair<const char*, const char*>, 5> said = {{{key::rows, key::rows},
                                                                    {key::arrays, key::array_limit},
                                                                    {key::recompute, key::recompute},
                                                                    {key::method, key::method},
                                                                    {key::objective, key::objective}}};
  for (const auto& [option, key] : said) {
    const Json given = at(options, option), stands = at(result, key);
    if (!given.is_null() && given != Json(stands.is_string() ? stands.get<std::string>() : stands.dump()))
      claims.add(fmt::format("options.{} is another one than {}", option, key));
  }
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
  auto schedule = text_of(document->root());
  if (!schedule) return schedule.error();
  source.text = std::move(*schedule);
  auto result = Json::parse(*text, nullptr, false);
  if (const auto name = at(at(result, key::netlist), key::file); name.is_string())
    source.netlist = name.get<std::string>();
  if (result.is_object() && result.contains(key::schema)) source.result = std::move(result);
  return source;
}

io::Json shown_schedule_json(const ScheduleSource& source) {
  if (!source.result.is_null()) return source.result;
  std::vector<std::string> lines;
  for (const std::string_view line : split_list(source.text, '\n')) lines.emplace_back(line);
  return {{key::space, "simd"}, {key::schedule, std::move(lines)}};
}

std::vector<std::string> false_claims(const Json& result, const ScheduledNetlist& netlist,
                                      const simd::Schedule& schedule, const simd::ScheduleFigures& figures) {
  Claims claims;
  claims.compare(key::schema, at(result, key::schema), Json(schedule_schema));
  Json of = netlist_json(netlist);
  of.erase(key::file);  // the same netlist may be elsewhere
  claims.compare(key::netlist, at(result, key::netlist), of);
  const Json found = figures_json(schedule, figures);
  for (const auto& [name, value] : found.items()) claims.compare(name, at(result, name.c_str()), value);
  check_status(result, figures.copies, claims);
  check_causes(result, schedule, figures.copies, claims);
  check_options(result, claims);
  return claims.take();
}

}  // namespace nestor::report

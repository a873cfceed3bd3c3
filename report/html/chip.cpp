// Section of the HTML report for a network compiled to a crossbar chip: the time of each operator, and the
// number of crossbars in use.
#include "report/keys/chip.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/html/bars.h"
#include "report/html/drawing.h"
#include "report/html/figures.h"
#include "report/html/markup.h"
#include "report/html/sections.h"
#include "report/keys/cnm.h"
#include "report/keys/common.h"
#include "report/keys/proof.h"
#include "report/keys/simd.h"

namespace nestor::report::html {
namespace {

using io::Json;

struct Run {
  std::string name;
  double start = 0;
  double end = 0;
  double crossbars = 0;
  bool on_array = false;
};

std::vector<Run> runs_of(const Json& segment, double& length) {
  std::vector<Run> runs;
  for (const auto& entry : at(segment, key::operators)) {
    const Run run{text_of(at(entry, key::name)), number_of(at(entry, key::start)).value_or(0),
                  number_of(at(entry, key::end)).value_or(0),
                  number_of(at(entry, key::crossbars)).value_or(0), text_of(at(entry, key::on)) == "array"};
    if (run.end < run.start) continue;
    length = std::max(length, run.end);
    runs.push_back(run);
  }
  return runs;
}

std::string cycles_text(double cycles) { return figure_text(Json(cycles), Style::count); }

// Returns a Gantt chart with one row per operator. The name is on the side of the bar that has more space.
std::string gantt(const std::vector<Run>& runs, double length) {
  constexpr double row_height = 18;
  Drawing drawing(row_height * static_cast<double>(runs.size()) + 20);
  double y = 0;
  for (const auto& run : runs) {
    const auto tip =
        fmt::format("{}: cycles {} to {}{}", run.name, cycles_text(run.start), cycles_text(run.end),
                    run.on_array ? fmt::format(", {:.0f} crossbars", run.crossbars) : "");
    const double begin = run.start / length;
    const double end = run.end / length;
    drawing.rectangle(
        {share(begin), pixels(y + 2), share(std::max(0.001, end - begin)), pixels(row_height - 4)},
        run.on_array ? "array" : "alu", tip);
    const bool right = end < 0.8;
    const bool left = !right && begin > 0.2;
    drawing.text(share(right  ? end + 0.004
                       : left ? begin - 0.004
                              : begin + 0.004),
                 pixels(y + row_height - 5),
                 right  ? "note"
                 : left ? "note end"
                        : "on-bar",
                 shortened(run.name, 40));
    y += row_height;
  }
  drawing.text("0%", pixels(y + 15), "note", "0");
  drawing.text("100%", pixels(y + 15), "note end", cycles_text(length) + " cycles");
  return drawing.finish(
      "Gantt chart: cycles in which every operator runs; the table below contains the figures");
}

// A span of cycles in which the number of crossbars in use is constant.
struct Use {
  double begin = 0;
  double end = 0;
  double crossbars = 0;
};

// Returns the crossbars of the operators that have begun and not ended, over time. An operator may pause
// between its rows, so the number of active crossbars (`peak_crossbars`) can be lower.
std::vector<Use> uses_of(const std::vector<Run>& runs) {
  std::map<double, double> changes;
  for (const auto& run : runs) {
    changes[run.start] += run.crossbars;
    changes[run.end] -= run.crossbars;
  }
  std::vector<Use> uses;
  double now = 0;
  for (auto change = changes.begin(); change != changes.end() && std::next(change) != changes.end();
       ++change) {
    now += change->second;
    const double end = std::next(change)->first;
    if (change->second == 0 && !uses.empty())
      uses.back().end = end;  // only digital operators begin or end here
    else
      uses.push_back({change->first, end, std::max(0.0, now)});
  }
  return uses;
}

std::string crossbars_in_use(const std::vector<Use>& uses, double length) {
  double most = 0;
  for (const auto& use : uses) most = std::max(most, use.crossbars);
  if (most <= 0) return "";
  constexpr double height = 90;
  Drawing drawing(height + 20);
  for (const auto& use : uses) {
    const double tall = height * use.crossbars / most;
    drawing.rectangle({share(use.begin / length), pixels(height - tall),
                       share((use.end - use.begin) / length), pixels(tall)},
                      "array",
                      fmt::format("cycles {} to {}: {:.0f} crossbars", cycles_text(use.begin),
                                  cycles_text(use.end), use.crossbars));
  }
  drawing.text("0%", pixels(height + 15), "note", "0");
  drawing.text("100%", pixels(height + 15), "note end",
               fmt::format("{} cycles; at most {} crossbars", cycles_text(length), cycles_text(most)));
  return drawing.finish(
      "Crossbars of operators between their first and last cycle; a table below contains the figures");
}

std::string crossbars_table(const std::vector<Use>& uses) {
  constexpr std::size_t most_rows = 200;
  HtmlTable table(uses.size() > most_rows
                      ? fmt::format("Crossbars of operators that have begun: the first {} of {} spans",
                                    most_rows, uses.size())
                      : "Crossbars of operators that have begun and not ended",
                  {{"from cycle"}, {"to cycle"}, {"crossbars"}});
  for (std::size_t i = 0; i < std::min(uses.size(), most_rows); ++i)
    table.add_row({figure(Json(uses[i].begin), Style::count), figure(Json(uses[i].end), Style::count),
                   figure(Json(uses[i].crossbars), Style::count)});
  return table.empty() ? "" : table.to_string();
}

std::string operators_table(const Json& segment) {
  HtmlTable table("Operators", {{"operator", false},
                                {"on", false},
                                {"copies"},
                                {"parts"},
                                {"phases"},
                                {"cores"},
                                {"first core"},
                                {"crossbars"},
                                {"start"},
                                {"first row"},
                                {"end"}});
  for (const auto& entry : at(segment, key::operators)) {
    const auto count = [&](std::string_view name) { return figure(at(entry, name), Style::count); };
    table.add_row({escaped(text_of(at(entry, key::name))), escaped(text_of(at(entry, key::on))),
                   count(key::copies), count(key::parts), count(key::phases), count(key::cores),
                   count(key::first_core), count(key::crossbars), count(key::start), count(key::first_row),
                   count(key::end)});
  }
  return table.empty() ? "" : table.to_string();
}

std::string segment_part(const Json& segment) {
  double length = 0;
  const auto runs = runs_of(segment, length);
  std::string pictures;
  const auto uses = uses_of(runs);
  if (length > 0)
    pictures =
        element("div", {{"class", "zoom"}},
                text_element("p", {{"class", "note"}},
                             "Operators over cycles: blue ones on crossbars, grey ones on the ALU") +
                    gantt(runs, length) +
                    text_element("p", {{"class", "note"}},
                                 "Crossbars of operators between their first and last cycle; those active "
                                 "at once are fewer if operators pause between rows") +
                    crossbars_in_use(uses, length));
  const auto title =
      fmt::format("Segment {} to {}, {}", text_of(at(segment, key::from)), text_of(at(segment, key::to)),
                  at(segment, key::pipeline) == Json("stream") ? "as a stream"
                  : at(segment, key::pipeline) == Json(true)   ? "pipelined"
                                                               : "one operator at a time");
  return part(3, title,
              facts({{"cycles", figure(at(segment, key::latency_cycles), Style::count)},
                     {"of which writing weights", figure(at(segment, key::rewrite_cycles), Style::count)},
                     {"of which running", figure(at(segment, key::schedule_cycles), Style::count)},
                     {"cores", figure(at(segment, key::cores), Style::count)},
                     {"crossbars", figure(at(segment, key::crossbars), Style::count)}}) +
                  pictures + operators_table(segment) +
                  folded("Crossbars over cycles, as a table", crossbars_table(uses)));
}

std::string baselines_part(const Json& result, const Json& latency) {
  const auto& baselines = at(result, key::baseline_cycles);
  if (!baselines.is_object() || baselines.empty()) return "";
  HtmlTable table("Baselines",
                  {{"method", false}, {"cycles"}, {"times as long"}, {"cycles as a bar", false}});
  double longest = number_of(latency).value_or(0);
  for (const auto& cycles : baselines) longest = std::max(longest, number_of(cycles).value_or(0));
  const auto add = [&](std::string_view name, const Json& cycles, std::string_view style) {
    const double here = number_of(cycles).value_or(0);
    const double least = number_of(latency).value_or(0);
    table.add_row({escaped(name), figure(cycles, Style::count),
                   least > 0 ? fmt::format("{:.3f}", here / least) : "",
                   plain_bar(here, longest, style, fmt::format("{}: {} cycles", name, cycles_text(here)))});
  };
  add("this result", latency, "array");
  for (const auto& [name, cycles] : baselines.items())
    if (name != key::interval_cycles) add(name, cycles, "alu");  // the interval is not a latency
  return part(3, "Baselines", table.to_string());
}

}  // namespace

std::string chip_section(const Json& result) {
  const auto& evaluation = at(result, key::evaluation);
  const auto& ties = at(result, key::tie_break);
  std::string content = part(
      3, "Result",
      facts({{"cycles", figure(at(evaluation, key::latency_cycles), Style::count)},
             {"energy", figure(at(evaluation, key::energy_pj), Style::energy)},
             {"peak power, pJ per cycle", figure(at(evaluation, key::peak_power), Style::plain)},
             {"crossbars at once", figure(at(evaluation, key::peak_crossbars), Style::count)},
             {"cores", figure(at(evaluation, key::cores), Style::count)},
             {"lower bound", figure(at(result, key::lower_bound), Style::count)},
             {"gap", figure(at(result, key::gap), Style::share)},
             {"nodes", figure(at(at(result, key::search), key::nodes), Style::count)},
             {ties.is_object() ? fmt::format("least {} among equals", text_of(at(ties, key::objective))) : "",
              ties.is_object() ? status_mark(at(ties, key::status)) : ""}}));
  for (const auto& segment : at(evaluation, key::segments)) content += segment_part(segment);
  return content + baselines_part(result, at(evaluation, key::latency_cycles));
}

}  // namespace nestor::report::html

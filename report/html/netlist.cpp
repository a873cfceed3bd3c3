// Section of the HTML report for the schedule of a netlist: copies over the instructions, and rows in use in
// every array.
#include <fmt/format.h>

#include <algorithm>

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

constexpr std::size_t most_points = 500;

// Returns the first and last of `count` indices, and evenly spaced ones between them.
std::vector<std::size_t> samples_of(std::size_t count, std::size_t most) {
  std::vector<std::size_t> samples;
  const std::size_t step = std::max<std::size_t>(1, count / most);
  for (std::size_t i = 0; i < count; i = i + step < count || i + 1 == count ? i + step : count - 1)
    samples.push_back(i);
  return samples;
}

std::string curve_points(const std::vector<double>& values, double most) {
  std::string points;
  const double last = std::max<double>(1, static_cast<double>(values.size()) - 1);
  for (const std::size_t i : samples_of(values.size(), most_points))
    points +=
        fmt::format("{:.1f},{:.1f} ", 1000 * static_cast<double>(i) / last, 1000 - 960 * values[i] / most);
  return points;
}

struct Curve {
  std::string name;
  std::vector<double> values;
};

// Returns a table of curves at evenly spaced values. `instructions` has the number of instructions before
// each value; without it, there is a value after each instruction and one before the first.
std::string curves_table(std::string caption, const std::vector<Curve>& curves,
                         const Json& instructions = Json()) {
  constexpr std::size_t most_rows = 50;
  std::vector<HtmlColumn> columns = {{"instructions"}};
  std::size_t longest = 0;
  for (const auto& curve : curves) {
    columns.push_back({curve.name});
    longest = std::max(longest, curve.values.size());
  }
  HtmlTable table(std::move(caption), columns);
  for (const std::size_t i : samples_of(longest, most_rows)) {
    std::vector<std::string> cells = {instructions.is_array() && i < instructions.size()
                                          ? figure(instructions[i], Style::count)
                                          : figure(Json(i), Style::count)};
    for (const auto& curve : curves)
      cells.push_back(i < curve.values.size() ? figure(Json(curve.values[i]), Style::count) : "");
    table.add_row(cells);
  }
  return folded("As a table", table.to_string());
}

std::string copies_over_time(const Json& schedule) {
  std::vector<double> copies = {0};
  for (const auto& line : schedule) {
    const auto text = text_of(line);
    if (text.starts_with("copy "))
      copies.push_back(copies.back() + 1);
    else if (text.starts_with("xor3 ") || text.starts_with("maj3 "))
      copies.push_back(copies.back());
  }
  if (copies.size() < 2) return "";
  Drawing drawing(150);
  drawing.curve(curve_points(copies, std::max(1.0, copies.back())), "curve s0", "copies so far");
  drawing.text("0%", "14", "note", fmt::format("{:.0f} copies", copies.back()));
  drawing.text("100%", "146", "note end", fmt::format("{} instructions", copies.size() - 1));
  return with_caption(drawing.finish("Copies so far, over the instructions"),
                      "Copies so far, over the instructions from left to right") +
         curves_table("Copies after a number of instructions", {{"copies", copies}});
}

std::string rows_over_time(const Json& result) {
  const auto& arrays = at(at(result, key::occupancy), key::arrays);
  constexpr std::size_t most_arrays = 12;
  Drawing drawing(150);
  const double rows = std::max(1.0, number_of(at(result, key::rows)).value_or(1));
  double most = 1;
  for (const auto& array : arrays)
    for (const auto& used : at(array, key::rows)) most = std::max(most, number_of(used).value_or(0));
  std::size_t drawn = 0;
  std::string legend;
  std::vector<Curve> curves;
  for (const auto& array : arrays) {
    if (drawn == most_arrays) break;
    std::vector<double> used;
    for (const auto& count : at(array, key::rows)) used.push_back(number_of(count).value_or(0));
    if (used.empty()) continue;
    const auto name = fmt::format("array {}", text_of(at(array, key::array)));
    drawing.curve(curve_points(used, most), fmt::format("curve s{}", drawn), name);
    Drawing key(12, 12);
    key.rectangle({"0", "0", "12", "12"}, fmt::format("c{}", drawn));
    legend += element("li", {}, key.finish("") + escaped(name));
    curves.push_back({name, std::move(used)});
    ++drawn;
  }
  if (drawn == 0) return "";
  drawing.text("0%", "14", "note", fmt::format("{:.0f} of {:.0f} rows", most, rows));
  return with_caption(
             drawing.finish("Rows in use in every array, over the instructions"),
             fmt::format("Rows in use in {} of {} arrays, over the instructions", drawn, arrays.size())) +
         element("ul", {{"class", "legend"}}, legend) +
         curves_table("Rows in use after a number of instructions", curves,
                      at(at(result, key::occupancy), key::after_instructions));
}

std::string arrays_table(const Json& result) {
  HtmlTable table("Arrays", {{"array", false}, {"most rows in use"}});
  for (const auto& array : at(at(result, key::occupancy), key::arrays)) {
    const Json* most = nullptr;
    for (const auto& used : at(array, key::rows))
      if (most == nullptr || number_of(used).value_or(0) > number_of(*most).value_or(0)) most = &used;
    table.add_row(
        {escaped(text_of(at(array, key::array))), most == nullptr ? "" : figure(*most, Style::count)});
  }
  return table.empty() ? "" : table.to_string();
}

std::string pairs_table(const Json& causes) {
  HtmlTable table("Copies by pair of arrays", {{"from", false}, {"to"}, {"copies"}});
  for (const auto& pair : at(causes, key::by_pair))
    table.add_row({figure(at(pair, key::from), Style::plain), figure(at(pair, key::to), Style::plain),
                   figure(at(pair, key::copies), Style::count)});
  return table.empty() ? "" : table.to_string();
}

std::string convergence_table(const Json& milestones) {
  HtmlTable table("Best schedules, in the order they were found",
                  {{"found", false}, {"seconds"}, {"work"}, {"copies"}});
  std::size_t number = 0;
  for (const auto& milestone : milestones)
    table.add_row({fmt::format("{}", ++number), figure(at(milestone, key::seconds), Style::plain),
                   figure(at(milestone, key::work), Style::count),
                   figure(at(milestone, key::copies), Style::count)});
  return table.empty() ? "" : table.to_string();
}

}  // namespace

std::string netlist_section(const Json& result) {
  const auto& bound = at(result, key::lower_bound);
  const auto& causes = at(result, key::copies_by_cause);
  std::string content = part(3, "Result",
                             facts({{"copies", figure(at(result, key::copies), Style::count)},
                                    {"lower bound", figure(at(bound, key::copies), Style::count)},
                                    {"why", escaped(text_of(at(bound, key::argument)))},
                                    {"gates", figure(at(result, key::computes), Style::count)},
                                    {"energy", figure(at(result, key::energy), Style::plain)},
                                    {"arrays", figure(at(result, key::arrays_used), Style::count)},
                                    {"rows of an array", figure(at(result, key::rows), Style::count)},
                                    {"method", escaped(text_of(at(result, key::method)))}}));
  content += part(3, "Copies",
                  copies_over_time(at(result, key::schedule)) +
                      element("div", {{"class", "pictures"}},
                              table_of({{"operands in other arrays", at(causes, key::fanin)},
                                        {"rows needed for others", at(causes, key::eviction)}},
                                       "Copies by cause", {"cause", "copies"}, Style::count) +
                                  pairs_table(causes)));
  content += part(3, "Arrays", rows_over_time(result) + arrays_table(result));
  return content + part(3, "Convergence", convergence_table(at(result, key::convergence)));
}

}  // namespace nestor::report::html

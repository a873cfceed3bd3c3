// Section of the HTML report for a latency-energy front: a plot and a table of its points.
#include <fmt/format.h>

#include <algorithm>

#include "report/html/drawing.h"
#include "report/html/figures.h"
#include "report/html/markup.h"
#include "report/html/nest.h"
#include "report/html/sections.h"
#include "report/keys/common.h"

namespace nestor::report::html {
namespace {

using io::Json;

struct Range {
  double low = 0;
  double high = 0;
  bool empty = true;
  void add(double value) {
    low = empty ? value : std::min(low, value);
    high = empty ? value : std::max(high, value);
    empty = false;
  }
  double place(double value) const { return high > low ? (value - low) / (high - low) : 0.5; }
};

}  // namespace

std::string front_section(const Json& front) {
  if (!front.is_array() || front.empty()) return "";
  Range cycles;
  Range energy;
  for (const auto& point : front) {
    const auto x = number_of(at(point, key::latency_cycles));
    const auto y = number_of(at(point, key::energy_pj));
    if (!x || !y) continue;
    cycles.add(*x);
    energy.add(*y);
  }
  constexpr double height = 260;
  Drawing drawing(height);
  drawing.line("4%", "230", "98%", "230", "axis-line");
  drawing.line("4%", "20", "4%", "230", "axis-line");
  HtmlTable table("Latency-energy front",
                  {{"point", false}, {"cycles"}, {"energy"}, {"EDP, pJ x cycles"}, {"mapping", false}});
  std::size_t number = 0;
  for (const auto& point : front) {
    ++number;
    const auto line = mapping_line(at(point, key::mapping));
    table.add_row({fmt::format("{}", number), figure(at(point, key::latency_cycles), Style::count),
                   figure(at(point, key::energy_pj), Style::energy),
                   figure(at(point, key::edp), Style::plain), escaped(line)});
    const auto x = number_of(at(point, key::latency_cycles));
    const auto y = number_of(at(point, key::energy_pj));
    if (!x || !y) continue;
    drawing.point(share(0.06 + 0.9 * cycles.place(*x)), pixels(215 - 185 * energy.place(*y)), "front",
                  fmt::format("point {}: {} cycles, {}; {}", number,
                              figure_text(at(point, key::latency_cycles), Style::count),
                              figure_text(at(point, key::energy_pj), Style::energy), line));
  }
  if (!cycles.empty) {
    drawing.text("4%", "250", "note", figure_text(Json(cycles.low), Style::count) + " cycles");
    drawing.text("98%", "250", "note end", figure_text(Json(cycles.high), Style::count) + " cycles");
    drawing.text("5%", "14", "note",
                 fmt::format("energy: {} to {}", figure_text(Json(energy.low), Style::energy),
                             figure_text(Json(energy.high), Style::energy)));
  }
  return with_caption(drawing.finish("Latency-energy front: horizontal axis cycles, vertical axis energy"),
                      "Every point is a mapping that no other mapping beats in both latency and energy.") +
         table.to_string();
}

}  // namespace nestor::report::html

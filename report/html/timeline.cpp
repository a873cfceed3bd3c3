// The beginning of a replay's timeline in the HTML report: a lane for the array, one for its waits, and one
// for every port. The events are those of --trace (report/cim/trace).
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "report/html/bars.h"
#include "report/html/drawing.h"
#include "report/html/figures.h"
#include "report/html/layer_parts.h"
#include "report/html/markup.h"
#include "report/html/sections.h"
#include "report/keys/common.h"
#include "report/keys/trace.h"
#include "report/tables/units.h"

namespace nestor::report::html {
namespace {

using io::Json;

struct Span {
  double begin = 0;
  double end = 0;
  std::string name;
};

struct Lane {
  std::string name;
  std::vector<Span> spans;
  double busy() const {
    double sum = 0;
    for (const auto& span : spans) sum += span.end - span.begin;
    return sum;
  }
};

// Returns the lanes by the numbers of their tracks: the array, its waits, then the ports.
std::map<double, Lane> lanes_by_id(const Json& events) {
  std::map<double, Lane> lanes;
  for (const auto& event : events) {
    const auto track = number_of(at(event, key::tid));
    if (!track) continue;
    if (at(event, key::ph) == Json("M")) lanes[*track].name = text_of(at(at(event, key::args), key::name));
    const auto begin = number_of(at(event, key::ts));
    const auto length = number_of(at(event, key::dur));
    if (at(event, key::ph) != Json("X") || !begin || !length || *begin < 0 || *length < 0) continue;
    lanes[*track].spans.push_back({*begin, *begin + *length, text_of(at(event, key::name))});
  }
  return lanes;
}

std::string count(double cycles) { return figure_text(Json(cycles), Style::count); }

// Returns the kind of an event, which its name begins with: "fetch" of "fetch tile 3", "MVMs" of "16 MVMs".
std::string kind_of(const std::string& name) {
  if (const auto tile = name.find(" tile "); tile != std::string::npos) return name.substr(0, tile);
  return name.ends_with("MVM") || name.ends_with("MVMs") ? "MVMs" : name;
}

std::string chart(const std::map<double, Lane>& lanes, double end, Palette& palette) {
  constexpr double row_height = 36;
  Drawing drawing(row_height * static_cast<double>(lanes.size()) + 20);
  double y = 0;
  for (const auto& [track, lane] : lanes) {
    drawing.text("0%", pixels(y + 13), "note", lane.name);
    for (const auto& span : lane.spans)
      drawing.rectangle({share(span.begin / end), pixels(y + 17), share((span.end - span.begin) / end), "15"},
                        palette.style_of(kind_of(span.name)),
                        fmt::format("{}: cycles {} to {}", span.name, count(span.begin), count(span.end)));
    y += row_height;
  }
  drawing.text("0%", pixels(y + 15), "note", "0");
  drawing.text("100%", pixels(y + 15), "note end", count(end) + " cycles");
  return drawing.finish("Timeline of the replay, one lane for every unit; the table below sums up the lanes");
}

}  // namespace

std::string timeline_part(const Json& layer) {
  const auto& timeline = at(layer, key::timeline);
  const auto lanes = lanes_by_id(at(timeline, key::trace_events));
  double end = 0;
  std::size_t events = 0;
  for (const auto& [track, lane] : lanes) {
    events += lane.spans.size();
    for (const auto& span : lane.spans) end = std::max(end, span.end);
  }
  if (end <= 0) return "";
  HtmlTable table("Lanes of the timeline",
                  {{"lane", false}, {"events"}, {"busy, cycles"}, {"share of the chart"}});
  for (const auto& [track, lane] : lanes)
    table.add_row({escaped(lane.name), figure(Json(lane.spans.size()), Style::count),
                   figure(Json(lane.busy()), Style::count), escaped(io::percent_text(lane.busy() / end))});
  auto caption = at(timeline, key::complete) == Json(false)
                     ? fmt::format("The first {} events, up to cycle {}", events, count(end))
                     : fmt::format("All {} events", events);
  if (const auto cycles = figure_text(at(layer, key::replay_cycles), Style::count); !cycles.empty())
    caption += fmt::format(" of a replay of {} cycles", cycles);
  Palette palette;
  const auto picture = chart(lanes, end, palette);
  return text_element("p", {{"class", "note"}}, caption) + element("div", {{"class", "zoom"}}, picture) +
         palette.legend() + table.to_string();
}

}  // namespace nestor::report::html

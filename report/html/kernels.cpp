// Section of the HTML report for kernels of the cnm space: the causes of their time, the ranked best
// mappings, and placements of programs.
#include "report/keys/cnm.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/html/bars.h"
#include "report/html/figures.h"
#include "report/html/markup.h"
#include "report/html/sections.h"
#include "report/keys/common.h"
#include "report/tables/units.h"

namespace nestor::report::html {
namespace {

using io::Json;

// Returns a tuple such as "(4,8)".
std::string tuple_text(const Json& numbers) {
  std::string text;
  for (const auto& number : numbers) text += (text.empty() ? "" : ",") + text_of(number);
  return "(" + text + ")";
}

std::string mapping_text(const Json& map) {
  const auto& tuples = at(map, key::tuples);
  if (!tuples.is_array()) return text_of(at(map, key::mapping));
  std::string text;
  for (const auto& tuple : tuples) text += (text.empty() ? "" : ",") + tuple_text(tuple);
  text = "{" + text + "}";
  if (const auto& block = at(map, key::block); block.is_array()) text += " block " + tuple_text(block);
  if (const auto& order = at(map, key::order); order.is_array()) text += " order " + tuple_text(order);
  return text;
}

std::string maps_of(const Json& kernel) {
  HtmlTable table("Maps", {{"map", false},
                           {"mapping", false},
                           {"cycles"},
                           {"time"},
                           {"WRAM, bytes"},
                           {"MRAM, bytes"},
                           {"IRAM, bytes"}});
  std::string bars;
  std::string causes;
  for (const auto& map : at(kernel, key::maps)) {
    const auto name = text_of(at(map, key::name));
    table.add_row(
        {escaped(name), escaped(mapping_text(map)), figure(at(map, key::cycles), Style::count),
         figure(at(map, key::time_ms), Style::milliseconds), figure(at(map, key::wram_bytes), Style::count),
         figure(at(map, key::mram_bytes), Style::count), figure(at(map, key::iram_bytes), Style::count)});
    Palette palette;
    const auto& spent = at(map, key::causes);
    const auto bar =
        stacked_bar(spent, sum_of(spent), palette, "cycles", fmt::format("cycles of {} by cause", name));
    bars += bar.empty() ? "" : bar + palette.legend();
    causes += table_of(spent, fmt::format("Cycles of {} by cause", name), {"cause", "cycles"}, Style::count);
    causes += table_of(at(map, key::host_ms), fmt::format("Time that the host adds to {}", name),
                       {"step", "time"}, Style::milliseconds);
    causes += table_of(at(map, key::bounds), fmt::format("Least cycles that each part of {} needs", name),
                       {"part", "cycles"}, Style::count);
    causes += table_of(at(map, key::units), fmt::format("Units at work in {}", name), {"unit", "number"},
                       Style::count);
  }
  return (table.empty() ? "" : table.to_string()) + bars + element("div", {{"class", "pictures"}}, causes);
}

std::string ranking_of(const Json& kernel) {
  const auto& top = at(kernel, key::top);
  if (!top.is_array() || top.empty()) return "";
  double longest = 0;
  for (const auto& map : top) longest = std::max(longest, number_of(at(map, key::time_ms)).value_or(0));
  HtmlTable table("Best mappings", {{"rank", false}, {"mapping", false}, {"time"}, {"time as a bar", false}});
  std::size_t rank = 0;
  for (const auto& map : top)
    table.add_row({fmt::format("{}", ++rank), escaped(mapping_text(map)),
                   figure(at(map, key::time_ms), Style::milliseconds),
                   plain_bar(number_of(at(map, key::time_ms)).value_or(0), longest, "energy",
                             figure_text(at(map, key::time_ms), Style::milliseconds))});
  return table.to_string();
}

std::string changes_of(const Json& kernel) {
  HtmlTable table("What a faster part gains", {{"changed", false}, {"to"}, {"time"}});
  for (const auto& change : at(kernel, key::explanation))
    table.add_row({escaped(text_of(at(change, key::changed))), figure(at(change, key::to), Style::count),
                   figure(at(change, key::time_ms), Style::milliseconds)});
  return table.empty() ? "" : table.to_string();
}

std::string kernel_parts(const Json& kernel) {
  return facts({{"time", figure(at(kernel, key::time_ms), Style::milliseconds)},
                {"lower bound", figure(at(kernel, key::lower_bound_ms), Style::milliseconds)},
                {"status", status_mark(at(kernel, key::status))},
                {"searched", escaped(text_of(at(kernel, key::searched)))},
                {"note", escaped(text_of(at(kernel, key::note)))}}) +
         maps_of(kernel) + ranking_of(kernel) + changes_of(kernel);
}

std::string layers_of(const Json& result) {
  double longest = 0;
  const auto& layers = at(result, key::layers);
  const auto time_of = [](const Json& layer) {
    return number_of(at(layer, key::time_ms)).value_or(0) * number_of(at(layer, key::repeat)).value_or(1);
  };
  for (const auto& layer : layers) longest = std::max(longest, time_of(layer));
  HtmlTable table("Layers", {{"layer", false},
                             {"repeat"},
                             {"status", false},
                             {"time"},
                             {"lower bound"},
                             {"time of all repeats", false}});
  std::string parts;
  for (const auto& layer : layers) {
    const auto name = text_of(at(layer, key::name));
    table.add_row(
        {escaped(shortened(name, 60)), figure(at(layer, key::repeat), Style::count),
         status_mark(at(layer, key::status)), figure(at(layer, key::time_ms), Style::milliseconds),
         figure(at(layer, key::lower_bound_ms), Style::milliseconds),
         plain_bar(time_of(layer), longest, "energy", fmt::format("{}: {:.6g} ms", name, time_of(layer)))});
    parts += element("details", {},
                     element("summary", {}, element("h3", {}, escaped(name))) +
                         element("div", {{"class", "layer"}}, kernel_parts(layer))) +
             "\n";
  }
  const auto& totals = at(result, key::totals);
  table.add_total({"mapped, repeats counted", "", "", figure(at(totals, key::time_ms), Style::milliseconds)});
  return part(3, "Network", table.to_string()) + parts;
}

// Returns the time of an operation on a system.
const Json& time_on(const Json& operation, const std::string& system) {
  return at(at(operation, key::time_ms), system);
}

std::string placement_facts(const Json& offload) {
  return facts({{"time", figure(at(offload, key::time_ms), Style::milliseconds)},
                {"lower bound", figure(at(offload, key::lower_bound_ms), Style::milliseconds)},
                {"status", status_mark(at(offload, key::status))},
                {"transfers", figure(at(offload, key::transfers), Style::count)},
                {"transfers counted", escaped(text_of(at(offload, key::counted)))},
                {"constants", escaped(text_of(at(offload, key::weights)))}}) +
         table_of(at(offload, key::alone_ms), "Everything on one system", {"system", "time"},
                  Style::milliseconds);
}

// Returns a table of the operations of a program, with the system that runs each and its time on every
// system.
std::string placed_operations(const Json& offload) {
  std::vector<std::string> systems;
  for (const auto& [name, link] : at(offload, key::link).items()) systems.push_back(name);
  std::vector<HtmlColumn> columns = {
      {"operation", false}, {"runs on", false}, {"time"}, {"share of the longest", false}};
  for (const auto& system : systems) columns.push_back({"on " + system});
  HtmlTable table("Operations", columns);
  const auto& placement = at(offload, key::placement);
  const auto& operations = at(at(offload, key::program), key::ops);
  if (!placement.is_array() || !operations.is_array() || placement.size() != operations.size()) return "";
  double longest = 0;
  for (std::size_t i = 0; i < operations.size(); ++i)
    longest = std::max(longest, number_of(time_on(operations[i], text_of(placement[i]))).value_or(0));
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const auto name = text_of(at(operations[i], key::name)), system = text_of(placement[i]);
    const auto& time = time_on(operations[i], system);
    std::vector<std::string> cells = {escaped(shortened(name, 60)), escaped(system),
                                      figure(time, Style::milliseconds),
                                      plain_bar(number_of(time).value_or(0), longest, "energy",
                                                name + ": " + figure_text(time, Style::milliseconds))};
    for (const auto& other : systems)
      cells.push_back(figure(time_on(operations[i], other), Style::milliseconds));
    table.add_row(cells);
  }
  return table.to_string();
}

std::string placement_of(const Json& offload) {
  std::string kernels;
  for (const auto& kernel : at(offload, key::kernels))
    kernels += element("details", {},
                       element("summary", {},
                               element("h3", {},
                                       escaped(text_of(at(kernel, key::name)) + " on " +
                                               text_of(at(kernel, key::system))))) +
                           element("div", {{"class", "layer"}}, kernel_parts(kernel))) +
               "\n";
  return part(3, "Program", placement_facts(offload) + placed_operations(offload)) + kernels;
}

}  // namespace

std::string kernel_section(const Json& result) {
  if (const auto& offload = at(result, key::offload); offload.is_object()) return placement_of(offload);
  return at(result, key::layers).is_array() ? layers_of(result) : part(3, "Kernel", kernel_parts(result));
}

}  // namespace nestor::report::html

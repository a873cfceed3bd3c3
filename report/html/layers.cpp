// Section of the HTML report for a result of a loop-nest space: an overview of the network, then every layer.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/html/bars.h"
#include "report/html/figures.h"
#include "report/html/layer_parts.h"
#include "report/html/markup.h"
#include "report/html/nest.h"
#include "report/html/sections.h"
#include "report/keys/chip.h"
#include "report/keys/cim.h"
#include "report/keys/cnm.h"
#include "report/keys/common.h"
#include "report/keys/machine.h"
#include "report/keys/pim.h"
#include "report/tables/units.h"

namespace nestor::report::html {
namespace {

using io::Json;

// Returns how often the layer's nest runs: once per group and repeat.
double repeats_of(const Json& layer) {
  return number_of(at(layer, key::repeat)).value_or(1) * number_of(at(layer, key::groups)).value_or(1);
}

// Returns the repeats as a figure. It is empty if the result does not state them.
std::string repeats_figure(const Json& layer) {
  return at(layer, key::repeat).is_null() ? "" : figure(exact(repeats_of(layer)), Style::count);
}

double cycles_of(const Json& layer) {
  return number_of(at(layer, key::latency_cycles)).value_or(0) * repeats_of(layer);
}

double energy_of(const Json& layer) {
  return number_of(at(layer, key::energy_pj)).value_or(0) * repeats_of(layer);
}

std::string overview(const Json& result, const std::string& prefix) {
  const auto& layers = at(result, key::layers);
  const auto& machine = at(result, key::architecture);
  double longest = 0;
  double costliest = 0;
  double cycles = 0;
  double energy = 0;
  std::map<std::string, const Json*> named;
  for (const auto& layer : layers) {
    named.emplace(text_of(at(layer, key::name)), &layer);
    longest = std::max(longest, cycles_of(layer));
    costliest = std::max(costliest, energy_of(layer));
    cycles += cycles_of(layer);
    energy += energy_of(layer);
  }
  Palette palette;
  HtmlTable table("Layers", {{"layer", false},
                             {"repeat"},
                             {"status", false},
                             {"cycles"},
                             {"share"},
                             {"cycles of all repeats, by cause", false},
                             {"energy"},
                             {"energy of all repeats", false},
                             {"gap"},
                             {"binds", false}});
  std::size_t number = 0;
  for (const auto& layer : layers) {
    const auto name = text_of(at(layer, key::name));
    auto causes = causes_of(layer);
    if (causes.is_null()) causes = Json{{"cycles", at(layer, key::latency_cycles)}};
    const auto& front = at(layer, key::front);
    // A layer that is the same as another has no table of resources of its own.
    const auto first = named.find(text_of(at(layer, key::same_as)));
    const auto points =
        front.is_array() && !front.empty() ? fmt::format("front of {} points", front.size()) : "";
    const double of_one = sum_of(causes);
    // Causes refer to one repeat, whereas the bar covers all repeats.
    const double whole = cycles_of(layer) > 0 ? longest / cycles_of(layer) * of_one : 0;
    table.add_row(
        {element("a", {{"href", fmt::format("#{}-{}", prefix, ++number)}}, escaped(shortened(name, 60))),
         repeats_figure(layer), status_mark(at(layer, key::status)),
         figure(at(layer, key::latency_cycles), Style::count),
         cycles > 0 ? escaped(io::percent_text(cycles_of(layer) / cycles)) : "",
         stacked_bar(causes, whole, palette, "cycles", fmt::format("cycles of {} by cause", name)) + points,
         figure(at(layer, key::energy_pj), Style::energy),
         plain_bar(energy_of(layer), costliest, "energy",
                   fmt::format("{}: {} ({})", name, io::energy_text(energy_of(layer)),
                               energy > 0 ? io::percent_text(energy_of(layer) / energy) : "")),
         figure(at(layer, key::gap), Style::share),
         escaped(binds(machine, first == named.end() ? layer : *first->second))});
  }
  const auto& totals = at(result, key::totals);
  table.add_total({"all, repeats counted", "", "", figure(at(totals, key::latency_cycles), Style::count), "",
                   "", figure(at(totals, key::energy_pj), Style::energy), "",
                   figure(at(totals, key::gap), Style::share)});
  return palette.legend() + table.to_string();
}

std::string shape_of(const Json& layer) {
  std::string text;
  const auto& dims = at(layer, key::dims);
  if (dims.is_object())
    for (const auto& [dim, bound] : dims.items())
      if (number_of(bound).value_or(0) != 1)
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", dim, figure_text(bound, Style::count));
  return text;
}

std::string proof_of(const Json& layer) {
  const auto& search = at(layer, key::search);
  const auto& ties = at(layer, key::tie_break);
  std::vector<Fact> list = {{"status", status_mark(at(layer, key::status))},
                            {"objective", figure(at(layer, key::objective), Style::count)},
                            {"lower bound", figure(at(layer, key::lower_bound), Style::count)},
                            {"gap", figure(at(layer, key::gap), Style::share)},
                            {"nodes", figure(at(search, key::nodes), Style::count)},
                            {"labels", figure(at(search, key::labels), Style::count)},
                            {"seconds", figure(at(search, key::seconds), Style::plain)}};
  if (ties.is_object()) {
    list.push_back({fmt::format("least {} among equals", text_of(at(ties, key::objective))),
                    status_mark(at(ties, key::status))});
    list.push_back({"its lower bound",
                    figure(at(ties, key::lower_bound),
                           at(ties, key::objective) == Json("energy") ? Style::energy : Style::count)});
  }
  return facts(list);
}

std::string alternatives_of(const Json& layer) {
  HtmlTable table("Next best spatial unrollings",
                  {{"rank", false}, {"objective"}, {"cycles"}, {"energy"}, {"mapping", false}});
  std::size_t rank = 1;
  for (const auto& point : at(layer, key::alternatives))
    table.add_row({fmt::format("{}", ++rank), figure(at(point, key::objective), Style::count),
                   figure(at(point, key::latency_cycles), Style::count),
                   figure(at(point, key::energy_pj), Style::energy),
                   escaped(mapping_line(at(point, key::mapping)))});
  return table.empty() ? "" : table.to_string();
}

std::string waits_of(const Json& layer) {
  std::string content;
  if (const auto causes = causes_of(layer); !causes.is_null()) {
    Palette palette;
    const auto bar = stacked_bar(causes, sum_of(causes), palette, "cycles", "cycles by cause");
    HtmlTable table("Cycles by cause", {{"computing, or waiting for", false}, {"cycles"}, {"share"}});
    for (const auto& [cause, cycles] : causes.items())
      table.add_row({escaped(cause), figure(cycles, Style::count),
                     escaped(io::percent_text(number_of(cycles).value_or(0) / sum_of(causes)))});
    content += bar + palette.legend() + table.to_string();
  }
  content +=
      table_of(at(layer, key::stalls), "Waits of the replay by cause", {"cause", "cycles"}, Style::count);
  content += table_of(at(at(layer, key::evaluation), key::row_activations), "DRAM row activations",
                      {"operand", "rows"}, Style::count);
  return content;
}

std::string mapped_parts(const Json& machine, const Json& layer) {
  const auto& evaluation = at(layer, key::evaluation);
  const auto& used = at(layer, key::usage_bits);
  const auto& usage = used.is_null() ? at(evaluation, key::usage_bits) : used;
  const MappedNest nest{machine, at(layer, key::mapping), at(evaluation, key::sizes_bits), usage};
  if (!nest.mapping.is_object()) return "";
  std::string layout;
  if (const auto& layouts = at(nest.mapping, key::layout); layouts.is_object()) {
    HtmlTable table("Layouts in DRAM", {{"operand", false}, {key::layout, false}, {"block", false}});
    for (const auto& [operand, kind] : layouts.items())
      table.add_row(
          {escaped(operand), escaped(text_of(at(kind, key::kind))), escaped(text_of(at(kind, key::block)))});
    layout = table.to_string();
  }
  return element("div", {{"class", "pictures"}},
                 with_caption(nest_picture(nest), "Loops, and the memory that holds each operand's tile") +
                     with_caption(machine_picture(nest),
                                  "Machine: lanes in use and highest use of each memory")) +
         memory_table(nest) + layout;
}

// Returns the front, with the mappings of its fastest point and of its point of least energy.
std::string front_of(const Json& machine, const Json& layer) {
  const auto& front = at(layer, key::front);
  if (!front.is_array() || front.empty()) return "";
  std::string content = front_section(front);
  const auto add = [&](std::string_view title, const Json& point) {
    content += part(5, title, mapped_parts(machine, point));
  };
  add(front.size() > 1 ? "Fastest point" : "The point", front.front());
  if (front.size() > 1) add("Point of least energy", front.back());
  return content;
}

std::string layer_part(const Json& machine, const Json& layer, const std::string& id,
                       const std::string& first) {
  const auto name = text_of(at(layer, key::name));
  const auto cycles = figure_text(at(layer, key::latency_cycles), Style::count);
  std::string content;
  const auto same = text_of(at(layer, key::same_as));
  if (!same.empty()) {
    content = element("p", {},
                      "This layer has the shape of " + element("a", {{"href", "#" + first}}, escaped(same)) +
                          ", and the same mapping.");
  } else {
    content = mapped_parts(machine, layer);
    content += part(4, "Front", front_of(machine, layer));
    content += part(4, "What the time is spent on", waits_of(layer));
    content += part(4, "Parts at work", busy_part(machine, layer));
    content += part(4, "Energy", energy_part(machine, layer));
    content += part(4, "Replay", timeline_part(layer));
    content += part(4, "What binds", resources_table(layer));
    content += part(4, "Alternatives", alternatives_of(layer));
  }
  content += part(4, "Proof", proof_of(layer));
  content += part(4, "Convergence", convergence_part(layer));
  const auto summary = escaped(shape_of(layer)) + (cycles.empty() ? "" : ": " + cycles + " cycles ");
  return element(
             "details", {},
             element("summary", {},
                     element("h3", {}, escaped(name)) + " " + element("span", {{"class", "note"}}, summary) +
                         status_mark(at(layer, key::status))) +
                 element("div", {{"id", id}, {"class", "layer"}}, content)) +
         "\n";
}

}  // namespace

std::string loop_nest_section(const Json& result, const std::string& prefix) {
  const auto& layers = at(result, key::layers);
  std::string all;
  std::map<std::string, std::string> ids;  // id by name of the layer
  std::size_t number = 0;
  for (const auto& layer : layers) {
    const auto id = fmt::format("{}-{}", prefix, ++number);
    ids.emplace(text_of(at(layer, key::name)), id);
    const auto first = ids.find(text_of(at(layer, key::same_as)));
    all += layer_part(at(result, key::architecture), layer, id, first == ids.end() ? prefix : first->second);
  }
  return part(3, "Network", overview(result, prefix)) + all;
}

}  // namespace nestor::report::html

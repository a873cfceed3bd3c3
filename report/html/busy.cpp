// Cycles in which every part of a machine works for a layer, next to the layer's latency: a roofline of the
// layer. A layer is limited by a part whose bar reaches the latency; if none does, parts wait for each other.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "report/html/drawing.h"
#include "report/html/figures.h"
#include "report/html/layer_parts.h"
#include "report/html/markup.h"
#include "report/html/sections.h"
#include "report/keys/cim.h"
#include "report/keys/common.h"
#include "report/keys/machine.h"
#include "report/keys/pim.h"
#include "report/keys/proof.h"
#include "report/tables/units.h"

namespace nestor::report::html {
namespace {

using io::Json;

struct Part {
  std::string name;
  Json cycles;
  Json bits;       ///< bits moved; null for the compute unit
  Json bandwidth;  ///< bits per cycle
  Json shared;     ///< pim: cycles if the operands share the bandwidth
};

const Json& memory_called(const Json& machine, std::string_view name) {
  static const Json nothing;
  for (const auto& level : at(machine, key::hierarchy))
    if (const auto& memory = at(level, key::memory); text_of(at(memory, key::name)) == name) return memory;
  return nothing;
}

// Returns the cycles of all MVMs one after another. A result of map contains them; otherwise they are the
// product of the temporal loops and the cycles of an MVM.
Json array_cycles(const Json& machine, const Json& layer) {
  if (const auto& cycles = at(at(layer, key::spent_cycles), key::compute); number_of(cycles)) return cycles;
  const auto& loops = at(at(layer, key::mapping), key::temporal);
  auto steps = number_of(at(at(machine, key::compute), key::mvm_cycles));
  if (!loops.is_array() || !steps) return Json();
  for (const auto& loop : loops) {
    const auto factor = number_of(at(loop, key::factor));
    if (!factor) return Json();
    *steps *= *factor;
  }
  return std::isfinite(*steps) ? exact(*steps) : Json();
}

// Returns the array and the ports of a cim layer. A port moves bits at the bandwidth of its outer memory
// (docs/models/cim.md, section 5); the model rounds each transfer up to whole cycles, this sum does not.
std::vector<Part> cim_parts(const Json& machine, const Json& layer) {
  const auto& own = at(layer, key::traffic_bits);
  const auto& traffic = own.is_object() ? own : at(at(layer, key::evaluation), key::traffic_bits);
  if (!traffic.is_object()) return {};
  std::vector<Part> parts = {{key::compute, array_cycles(machine, layer), {}, {}, {}}};
  for (const auto& [name, moved] : traffic.items()) {
    const auto& bandwidth = at(memory_called(machine, name.substr(0, name.rfind('/'))), key::bandwidth);
    const auto width = number_of(bandwidth);
    const auto read = number_of(at(moved, key::read));
    if (!width || *width <= 0 || !read) continue;
    const double bits = *read + number_of(at(moved, key::write)).value_or(0);
    parts.push_back({name, exact(bits / *width), exact(bits), bandwidth, {}});
  }
  return parts;
}

std::vector<Part> pim_parts(const Json& machine, const Json& layer) {
  const auto& evaluation = at(layer, key::evaluation);
  const auto& memories = at(evaluation, key::memory_cycles);
  if (!memories.is_object()) return {};
  std::vector<Part> parts = {{key::compute, at(evaluation, key::compute_cycles), {}, {}, {}}};
  const auto& moved = at(evaluation, key::bits);
  for (const auto& [name, cycles] : memories.items()) {
    std::optional<double> bits;
    if (moved.is_object())
      for (const auto& [port, count] : moved.items())
        if (port.substr(0, port.rfind('/')) == name) bits = bits.value_or(0) + number_of(count).value_or(0);
    parts.push_back({name, at(cycles, key::per_operand), bits ? exact(*bits) : Json(),
                     at(memory_called(machine, name), key::bandwidth), at(cycles, key::shared)});
  }
  return parts;
}

std::vector<Part> parts_of(const Json& machine, const Json& layer) {
  auto parts = pim_parts(machine, layer);
  return parts.empty() ? cim_parts(machine, layer) : parts;
}

double cycles_of(const Part& part) { return std::max(0.0, number_of(part.cycles).value_or(0)); }

std::string share_text(const Part& part, double latency) {
  const auto cycles = number_of(part.cycles);
  return cycles && latency > 0 ? io::percent_text(*cycles / latency) : "";
}

std::string busy_picture(const std::vector<Part>& parts, double latency) {
  constexpr double width = 600;
  constexpr double row_height = 24;
  constexpr double begin = 130;
  constexpr double length = 300;
  double longest = latency;
  for (const auto& part : parts) longest = std::max(longest, cycles_of(part));
  Drawing drawing(width, row_height * static_cast<double>(parts.size() + 1));
  double y = 0;
  for (const auto& part : parts) {
    const double cycles = cycles_of(part);
    const auto words = fmt::format("{} cycles, {} of the latency", figure_text(part.cycles, Style::count),
                                   share_text(part, latency));
    drawing.text("0", pixels(y + 16), "part", shortened(part.name, 17));
    if (cycles > 0)
      drawing.rectangle(
          {pixels(begin), pixels(y + 4), pixels(std::max(1.0, length * cycles / longest)), "16"},
          part.bits.is_null() ? "array" : "port", part.name + ": " + words);
    drawing.text(pixels(begin + length + 10), pixels(y + 16), "note",
                 fmt::format("{} ({})", figure_text(part.cycles, Style::count), share_text(part, latency)));
    y += row_height;
  }
  const auto end = pixels(begin + length * latency / longest);
  drawing.line(end, "0", end, pixels(y + 4), "limit");
  drawing.text(end, pixels(y + 18), "note end",
               "latency " + figure_text(Json(latency), Style::count) + " cycles");
  return drawing.finish(
      "Cycles in which every part works, next to the latency; the table contains the figures");
}

}  // namespace

std::string busiest_part(const Json& machine, const Json& layer) {
  std::string name;
  double most = 0;
  for (const auto& part : parts_of(machine, layer))
    if (cycles_of(part) > most) {
      most = cycles_of(part);
      name = part.name;
    }
  return name;
}

std::string busy_part(const Json& machine, const Json& layer) {
  const auto parts = parts_of(machine, layer);
  const double latency = number_of(at(layer, key::latency_cycles)).value_or(0);
  if (parts.empty() || latency <= 0) return "";
  const bool is_pim =
      std::any_of(parts.begin(), parts.end(), [](const Part& p) { return !p.shared.is_null(); });
  std::vector<HtmlColumn> columns = {{"part", false},
                                     {"bits moved"},
                                     {"bits per cycle"},
                                     {is_pim ? "busy, cycles" : "cycles at full bandwidth"},
                                     {"share of the latency"}};
  if (is_pim) columns.push_back({"cycles if operands share the bandwidth"});
  HtmlTable table(
      is_pim
          ? "Cycles that each part is busy; the busiest sets the latency"
          : "Cycles that the array computes, and that each port needs for its bits; the model rounds every "
            "transfer up to whole cycles",
      columns);
  for (const auto& part : parts)
    table.add_row({escaped(part.name), figure(part.bits, Style::count), figure(part.bandwidth, Style::count),
                   figure(part.cycles, Style::count), escaped(share_text(part, latency)),
                   figure(part.shared, Style::count)});
  return with_caption(busy_picture(parts, latency),
                      is_pim
                          ? "Busy cycles of every part; the line is the latency"
                          : "Cycles of the array, and of every port at its full bandwidth; the line is the "
                            "latency. If no bar reaches it, parts wait for each other.") +
         table.to_string();
}

}  // namespace nestor::report::html

// Energy of a layer by part in the HTML report.
#include "report/html/bars.h"
#include "report/html/figures.h"
#include "report/html/layer_parts.h"
#include "report/html/markup.h"
#include "report/keys/common.h"
#include "report/keys/machine.h"
#include "report/tables/units.h"

namespace nestor::report::html {

using io::Json;

std::string energy_part(const Json& machine, const Json& layer) {
  Json parts = at(at(layer, key::evaluation), key::energy);
  if (!parts.is_object() || parts.empty()) return "";
  // The evaluator's parts exclude leakage, but the layer's energy includes it.
  const auto leakage = number_of(at(machine, key::leakage));
  const auto cycles = number_of(at(layer, key::latency_cycles));
  if (leakage && cycles && *leakage > 0 && *cycles > 0) parts[key::leakage] = *leakage * *cycles;
  const double whole = sum_of(parts);
  Palette palette;
  const auto bar = stacked_bar(parts, whole, palette, "pJ", "energy by part");
  HtmlTable table("Energy by part", {{"part", false}, {"energy"}, {"share"}});
  for (const auto& [name, energy] : parts.items()) {
    const auto part = number_of(energy);
    table.add_row({escaped(name), figure(energy, Style::energy),
                   part && whole > 0 ? escaped(io::percent_text(*part / whole)) : ""});
  }
  return bar + palette.legend() + table.to_string();
}

}  // namespace nestor::report::html

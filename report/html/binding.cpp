// Resources that limit a layer, in the HTML report: a cell of the overview, and the table of --explain with
// the units of the command line.
#include <fmt/format.h>

#include "report/html/bars.h"
#include "report/html/figures.h"
#include "report/html/layer_parts.h"
#include "report/html/markup.h"
#include "report/keys/cim.h"
#include "report/keys/common.h"
#include "report/resource_table.h"

namespace nestor::report::html {
namespace {

using io::Json;

// Returns "gbuf bandwidth", or "compute" for the resource without a name.
std::string resource_title(const Json& resource) {
  const auto name = text_of(at(resource, key::name));
  return name + (name.empty() ? "" : " ") + text_of(at(resource, key::resource));
}

ResourceUnit unit_in(const Json& resource) {
  const auto kind = resource_kinds.find(text_of(at(resource, key::resource)));
  const auto& amount = at(resource, key::amount);
  if (!kind || !amount.is_number_integer()) return {};
  return unit_of(*kind, amount.get<Int>());
}

// Returns an amount in the unit of its row.
std::string amount(const Json& value, const ResourceUnit& unit) {
  if (unit.size == 1 || !value.is_number_integer()) return figure(value, Style::count);
  return text_element("data", {{"value", value.dump()}}, amount_text(value.get<Int>(), unit));
}

// Returns the gain of a change. It is exact if the optimum of the changed machine is proved.
std::string gain_of(const Json& change) {
  const auto gain = figure(at(change, key::gain), Style::share);
  const bool exact = at(change, key::status) == Json(to_string(Status::optimal));
  return gain.empty() || exact ? gain : gain + " or more";
}

}  // namespace

Json causes_of(const Json& layer) {
  if (const auto& spent = at(layer, key::spent_cycles); spent.is_object() && !spent.empty()) return spent;
  return Json();
}

std::string binds(const Json& machine, const Json& layer) {
  constexpr double least_gain = 0.01;  // resources that gain less are named only in the table of --explain
  std::string names;
  for (const auto& resource : at(layer, key::resources)) {
    const auto& gain = at(at(resource, key::step), key::gain);
    if (text_of(at(resource, key::binds)) == "yes" && gain.is_number() && gain.get<double>() >= least_gain)
      names += (names.empty() ? "" : ", ") + resource_title(resource);
  }
  if (!names.empty()) return names;
  const auto causes = causes_of(layer);
  return causes.is_null() ? busiest_part(machine, layer) : largest_of(causes);
}

std::string resources_table(const Json& layer) {
  HtmlTable table("Resources: gain from more of each", {{"resource", false},
                                                        {"unit", false},
                                                        {"now"},
                                                        {"used"},
                                                        {"binds", false},
                                                        {"one step more"},
                                                        {"gain"},
                                                        {"all it can use"},
                                                        {"gain"}});
  for (const auto& resource : at(layer, key::resources)) {
    const auto& step = at(resource, key::step);
    const auto& most = at(resource, key::most);
    const auto operand = text_of(at(resource, key::operand));
    const auto unit = unit_in(resource);
    table.add_row(
        {escaped(resource_title(resource)), unit.name, amount(at(resource, key::amount), unit),
         escaped(operand + (operand.empty() ? "" : " ")) + figure(at(resource, key::used), Style::share),
         escaped(text_of(at(resource, key::binds))), amount(at(step, key::amount), unit), gain_of(step),
         amount(at(most, key::amount), unit), gain_of(most)});
  }
  return table.empty() ? "" : table.to_string();
}

}  // namespace nestor::report::html

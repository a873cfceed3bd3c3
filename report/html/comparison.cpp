// Section of the HTML report for `nestor compare`: the outcome of every solver, and the differences between
// Nestor's mapping and the mapping of each solver.
#include <fmt/format.h>

#include "report/html/diff.h"
#include "report/html/figures.h"
#include "report/html/markup.h"
#include "report/html/nest.h"
#include "report/html/sections.h"
#include "report/keys/common.h"
#include "report/keys/comparison.h"

namespace nestor::report::html {
namespace {

using io::Json;

std::string outcomes(const Json& comparison) {
  HtmlTable table(
      "Outcome of every solver; the evaluated objective is computed by Nestor for the solver's mapping",
      {{"layer", false},
       {"solver", false},
       {"state", false},
       {"seconds"},
       {"claimed objective"},
       {"claimed bound"},
       {"gap"},
       {"evaluated objective"},
       {"ratio to Nestor's"},
       {"remark", false}});
  for (const auto& row : at(comparison, key::rows))
    table.add_row({escaped(text_of(at(row, key::layer))), escaped(text_of(at(row, key::solver))),
                   status_mark(at(row, key::state)), figure(at(row, key::seconds), Style::plain),
                   figure(at(row, key::primal), Style::count), figure(at(row, key::dual_bound), Style::count),
                   figure(at(row, key::gap), Style::share), figure(at(row, key::evaluated), Style::count),
                   figure(at(row, key::ratio), Style::plain), escaped(text_of(at(row, key::remark)))});
  return table.to_string();
}

std::string mapping_of(const Json& machine, const Json& row) {
  const auto& evaluation = at(row, key::evaluation);
  return with_caption(nest_picture({machine, at(row, key::mapping), at(evaluation, key::sizes_bits),
                                    at(evaluation, key::usage_bits)}),
                      "Loops of " + text_of(at(row, key::solver)));
}

// Returns the differences between the mapping of `own`, Nestor's row, and that of a solver for the same
// layer.
std::string differences(const Json& machine, const Json& own, const Json& row) {
  const auto diff = mapping_diff({text_of(at(own, key::solver)), own}, {text_of(at(row, key::solver)), row});
  if (diff.empty()) return "";
  const bool same = at(own, key::mapping) == at(row, key::mapping);
  return element("details", {},
                 element("summary", {},
                         text_element("h4", {},
                                      text_of(at(row, key::layer)) + ", " + text_of(at(row, key::solver))) +
                             text_element("span", {{"class", "note"}},
                                          same ? " the same mapping" : " another mapping")) +
                     element("div", {{"class", "pictures"}},
                             mapping_of(machine, own) + mapping_of(machine, row)) +
                     diff) +
         "\n";
}

}  // namespace

std::string comparison_section(const Json& comparison) {
  std::string content = part(3, "Solvers", outcomes(comparison));
  std::string all;
  const auto& machine = at(comparison, key::architecture);
  static const Json nothing;
  const Json* own = &nothing;
  for (const auto& row : at(comparison, key::rows)) {
    if (at(row, key::solver) == Json("nestor"))
      own = &row;
    else if (at(*own, key::layer) == at(row, key::layer))
      all += differences(machine, *own, row);
  }
  return content + part(3, "Mappings", all);
}

}  // namespace nestor::report::html

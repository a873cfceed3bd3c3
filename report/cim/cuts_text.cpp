#include "report/cim/cuts_text.h"

#include <fmt/format.h>

#include "report/goal_columns.h"

namespace nestor::report {

std::string cuts_text(const mapper::CutNetwork& network, const io::CimRun& run) {
  const auto* const known = network.proved() ? "proved over all cuts" : "not all cuts are proved";
  if (network.cuts.empty())
    return fmt::format("\nNo layer was found to cost less in two parts ({}).\n", known);
  auto text = fmt::format("\nIn two parts ({}):\n", known);
  const auto* const unit = run.objective.name == "latency" ? " cycles" : "";
  for (const auto& cut : network.cuts) {
    const auto bound = [&](const Layer& part) { return part.shape.bounds[index_of(cut.dim)]; };
    text += fmt::format("{}: {} = {} + {}: ", cut.whole.name, letter(cut.dim), bound(cut.first),
                        bound(cut.second));
    const auto cost = objective_text(run.objective.name, cut.cost);
    text += cut.whole_cost == no_cost ? fmt::format("{}{}; the whole layer has no mapping\n", cost, unit)
                                      : fmt::format("{}{} instead of {} ({:+.1f} %)\n", cost, unit,
                                                    objective_text(run.objective.name, cut.whole_cost),
                                                    100 * (cut.cost / cut.whole_cost - 1));
  }
  return text;
}

}  // namespace nestor::report

// Hints that `map` prints about dimensions for which a little padding would lower the cost.
#pragma once

#include <fmt/format.h>

#include <string>

#include "mapper/loopnest/padding_hint.h"
#include "report/goal_columns.h"

namespace nestor::report {

/// Returns lines such as "conv: 197 is prime: `--pad 5` reaches 5,639 cycles".
inline std::string padding_hints_text(std::span<const Layer> layers, const UniqueShapes& shapes,
                                      const std::vector<std::optional<mapper::PaddingHint>>& hints,
                                      const std::string& objective) {
  std::string text;
  for (std::size_t i = 0; i < hints.size(); ++i) {
    if (!hints[i]) continue;
    const auto& [bound, prime, figure] = *hints[i];
    const auto awkward = bound == prime ? fmt::format("{} is prime", bound)
                                        : fmt::format("{} = {} x {}", bound, bound / prime, prime);
    const auto unit = objective == "latency" ? " cycles" : objective == "edp" ? " pJ*cycles" : "";
    text += fmt::format("{}: {}: `--pad {}` reaches {}{}\n", layers[shapes.shapes[i].first].name, awkward,
                        mapper::PaddingHint::percent, objective_text(objective, figure), unit);
  }
  return text.empty() ? text : "\n" + text;
}

}  // namespace nestor::report

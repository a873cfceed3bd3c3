// An oracle for tests. It proves or refutes a claim on a PIM machine by the checker's rules alone, without a
// proof file. Nests grow from the outermost loop inward, breadth first.
#pragma once

#include <unordered_map>

#include "check/pim/rules.h"
#include "prove.h"

namespace nestor::check_cases {

inline Report prove(const check::Layer& layer, const check::pim::CheckedPimMachine& machine,
                    const check::Claim& claim) {
  using check::pim::PimNode;
  Report report;
  check::pim::Shared shared;
  const auto standing = [&](const check::Spatial& s) { return standing_for(s, layer, machine); };
  for (const auto& spatial : spatial_choices(layer, machine, standing)) {
    const check::pim::PimLanes lanes(layer, machine, spatial);
    check::pim::PimRules rules({layer, machine, claim}, lanes, shared);
    rules.add_bounds();
    if (!rules.is_possible() || rules.ends(rules.root())) continue;
    std::vector<PimNode> open = {rules.root()};
    while (!open.empty() && !report.refuted) {
      std::vector<PimNode> next;
      std::unordered_map<std::string, std::vector<std::size_t>> of_key;
      const auto consider = [&](PimNode child, const check::LoggedNest&) {
        if (report.refuted || rules.ends(child)) return;
        if (child.rest == 1) {
          report.refuted = true;
          report.better = rules.least(child);
          return;
        }
        rules.forget_idle(child);
        auto& equals = of_key[rules.key(child)];
        for (const std::size_t e : equals)
          if (rules.dominates(next[e], child)) return;
        equals.push_back(next.size());
        next.push_back(std::move(child));
      };
      for (const PimNode& node : open) rules.each_child(node, consider);
      open = std::move(next);
    }
    if (report.refuted) break;
  }
  return report;
}

}  // namespace nestor::check_cases

// Helpers of the tests of the search space: the objectives, and machines with tight capacities.
#pragma once

#include <algorithm>
#include <vector>

#include "base/random.h"
#include "model/cim/space/cim_space.h"
#include "solver/engine/host_storage.h"
#include "support/random_cases.h"

namespace nestor::cim {

using nestor::tests::RandomCase;
using Space = CimSpace<HostStorage>;
template <typename AnyBranch>
using SpaceOf = BranchSpace<AnyBranch, HostStorage>;

inline const std::vector<CimObjective>& objectives() {
  static const std::vector<CimObjective> all = [] {
    std::vector<CimObjective> list;
    for (const auto model : {LatencyModel::miredo, LatencyModel::stall}) {
      list.push_back({{.kind = ObjectiveKind::latency}, model});
      list.push_back({{.kind = ObjectiveKind::energy}, model});
      list.push_back({{.kind = ObjectiveKind::edp}, model});
      list.push_back({{.kind = ObjectiveKind::eq14, .additive_weight = -1}, model});
      // Weights large enough that sizes and energy compete with latency.
      list.push_back({{.kind = ObjectiveKind::eq14, .additive_weight = 0.05}, model});
      list.push_back({{.kind = ObjectiveKind::blended, .additive_weight = 0.1}, model});
    }
    return list;
  }();
  return all;
}

inline bool is_shared(const Memory& memory) {
  const auto holds = [&](Operand operand) { return memory.operands.contains(operand); };
  return std::count_if(all_operands.begin(), all_operands.end(), holds) > 1;
}

// Sets some capacities to one to three times the bits that the sample's mapping uses, and allows double
// buffering there.
inline void tighten(RandomCase& sample, Random& random) {
  Architecture& machine = sample.architecture.machine;
  const auto usage = evaluate(sample.layer, machine, sample.mapping).usage_bits;
  for (std::size_t m = 0; m < machine.memories.size(); ++m)
    if (usage[m] > 0 && random.chance(0.5)) {
      machine.memories[m].capacity = usage[m] * (1 + static_cast<Int>(random.below(3)));
      machine.memories[m].double_buffer = true;
    }
}

}  // namespace nestor::cim

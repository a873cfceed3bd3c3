#include "model/cim/waits.h"

namespace nestor::cim {

// Latency never decreases when a transfer takes longer (docs/models/cim.md, section 6), so no wait is
// negative. Computing may hide the transfers of either of two ports alone, but not of both together. The
// first of these ports is then listed with a wait of 0.
SpentCycles spent_cycles(const LayerShape& layer, const Architecture& machine, const Mapping& mapping,
                         LatencyModel model) {
  PortSet timed{};
  const auto cycles = [&] { return cycles_through(timed, layer, machine, mapping, model); };
  SpentCycles spent;
  spent.compute = cycles();
  const Int latency = evaluate(layer, machine, mapping).cycles(model);
  for (Int so_far = spent.compute; so_far < latency;) {
    Wait worst;
    bool found = false;
    for (std::size_t m = 0; m < machine.memories.size(); ++m)
      for (const Operand operand : all_operands) {
        if (!machine.memories[m].operands.contains(operand) || timed[m].contains(operand)) continue;
        timed[m].insert(operand);
        const Int more = cycles() - so_far;
        timed[m].erase(operand);
        if (found && more <= worst.cycles) continue;
        found = true;
        worst = {m, operand, more};
      }
    if (!found) break;  // all ports are timed
    timed[worst.memory].insert(worst.operand);
    so_far += worst.cycles;
    spent.waits.push_back(worst);
  }
  return spent;
}

}  // namespace nestor::cim

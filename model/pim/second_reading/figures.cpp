#include "model/pim/second_reading/reading.h"

namespace nestor::pim_reading {
namespace {

// Returns the number of steps between two changes of an operand's data in the array.
Wide steps_unchanged(const LayerShape& layer, const Mapping& nest, Operand operand) {
  Wide steps = 1;
  for (const Loop& loop : nest.loops) steps = layer.is_relevant(loop.dim, operand) ? 1 : steps * loop.factor;
  return steps;
}

bool has_taps(const Extents& factors) {
  return factors[index_of(Dim::R)] > 1 || factors[index_of(Dim::S)] > 1;
}

}  // namespace

PimFigures recompute(const LayerShape& layer, const pim::PimMachine& machine,
                     const pim::PimMapping& mapping) {
  PimFigures figures;
  for (const Operand operand : all_operands) {
    const auto stations = verify::stations_of(operand, machine, mapping.nest, mapping.stored);
    auto& fillings = figures.fillings[index_of(operand)];
    fillings.push_back({.memory = stations[0].memory});
    for (std::size_t s = 1; s < stations.size(); ++s) {
      Filling filling{.memory = stations[s].memory, .source = stations[s - 1].memory};
      for (std::size_t i = 0; i < stations[s].loops_outside; ++i)
        filling.times *= mapping.nest.loops[i].factor;
      filling.size_bits = verify::stored_bits(operand, stations, s, layer, machine, mapping.nest);
      figures.usage_bits[filling.memory] += filling.size_bits;
      fillings.push_back(filling);
    }
  }
  Wide steps = 1;
  for (const Loop& loop : mapping.nest.loops) steps *= loop.factor;
  figures.compute_cycles = steps * machine.mvm_cycles + machine.reduction_latency;
  return figures;
}

std::string_view dataflow(const LayerShape& layer, const pim::PimMapping& mapping) {
  bool taps = false;
  bool channels = false;
  for (const Extents& factors : mapping.nest.spatial) {
    taps = taps || has_taps(factors);
    channels = channels || (factors[index_of(Dim::K)] > 1 && !has_taps(factors));
  }
  if (taps && channels) return "row stationary";
  Operand longest = Operand::I;
  bool alone = true;
  for (const Operand operand : {Operand::W, Operand::O}) {
    const Wide steps = steps_unchanged(layer, mapping.nest, operand);
    const Wide most = steps_unchanged(layer, mapping.nest, longest);
    if (steps > most) longest = operand;
    alone = steps > most || (alone && steps < most);
  }
  if (!alone) return "mixed";
  return longest == Operand::W   ? "weight stationary"
         : longest == Operand::O ? "output stationary"
                                 : "input stationary";
}

}  // namespace nestor::pim_reading

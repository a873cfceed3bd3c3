#include "model/cim/linear/relaxation_setting.h"

#include <cmath>

#include "model/loopnest/spatial_factors.h"
#include "model/loopnest/tiles.h"

namespace nestor::cim {
SpatialSetting::SpatialSetting(const LayerShape& the_layer, const Architecture& the_machine,
                               const SpatialFactors& spatial, double log_margin)
    : layer(the_layer), machine(the_machine), margin(log_margin) {
  for (std::size_t m = 0; m < machine.memories.size(); ++m) {
    const Memory& memory = machine.memories[m];
    below_[m] = extents_below(machine, memory, spatial);
    lanes_above_[m] = static_cast<double>(nestor::lanes_above(memory, spatial));
    reduced_above_[m] = nestor::is_reduced_above(layer, memory, spatial);
  }
  temporal = temporal_bounds(layer.bounds, spatial);
  steps = product_of<double>(temporal);
  constant = constant_energy();
}

double SpatialSetting::log_up(double x) const {
  const double value = std::log(x);
  return value + relative_margin * (1 + std::abs(value)) + margin;
}

double SpatialSetting::log_down(double x) const {
  const double value = std::log(x);
  return value - relative_margin * (1 + std::abs(value)) - margin;
}

// Returns the energy of computing and of the accesses of the innermost memories in every step
// (docs/models/cim.md, section 7).
double SpatialSetting::constant_energy() const {
  const auto macs = product_of<double>(layer.bounds);
  const std::size_t i = machine.innermost(Operand::I);
  const std::size_t o = machine.innermost(Operand::O);
  const auto inputs = static_cast<double>(elements(layer, Operand::I, below_[i]));
  const auto outputs = static_cast<double>(elements(layer, Operand::O, below_[o]));
  const auto& inner_i = machine.memories[i];
  const auto& inner_o = machine.memories[o];
  return macs * machine.mac_energy +
         steps * lanes_above(i) * inputs * static_cast<double>(layer.bits.input) * inner_i.read_energy +
         steps * lanes_above(o) * outputs * static_cast<double>(layer.bits.partial_sum) *
             (inner_o.read_energy + inner_o.write_energy);
}

std::vector<UsePattern> use_patterns(const Architecture& machine, const ContentLimits& limits) {
  std::vector<UsePattern> patterns(1);
  for (const Operand operand : all_operands) {
    std::vector<UsePattern> longer;
    std::vector<std::size_t> between;
    for (std::size_t m = machine.home(operand) + 1; m < machine.innermost(operand); ++m)
      if (machine.memories[m].operands.contains(operand)) between.push_back(m);
    for (const UsePattern& pattern : patterns)
      for (std::size_t mask = 0; mask < std::size_t{1} << between.size(); ++mask) {
        UsePattern next = pattern;
        auto& used = next[index_of(operand)];
        used.push_back(machine.home(operand));
        bool allowed = true;
        for (std::size_t k = 0; k < between.size(); ++k) {
          const bool uses = (mask >> k & 1U) != 0;
          const auto excluded = uses ? ContentLimits::Use::no : ContentLimits::Use::yes;
          allowed &= limits.content[between[k]][index_of(operand)].use != excluded;
          if (uses) used.push_back(between[k]);
        }
        if (!allowed) continue;
        used.push_back(machine.innermost(operand));
        longer.push_back(std::move(next));
      }
    patterns = std::move(longer);
  }
  return patterns;
}

}  // namespace nestor::cim

#include "model/loopnest/search/factor_lattice.h"

namespace nestor {

bool FactorLattice::build(Arena& arena) {
  const auto& factors = set_.factors;
  std::size_t size = 1;
  for (std::size_t k = 0; k < factors.size(); ++k) {
    strides_[k] = static_cast<LatticeNode>(size);
    size *= factors[k].count + std::size_t{1};
    if (size > 0xFFFF) return false;
  }
  size_ = size;
  Int* values = arena.allocate<Int>(size);
  auto* steps = arena.allocate<std::uint16_t>(size);
  auto* depths = arena.allocate<std::uint8_t>(size);
  if (values == nullptr || steps == nullptr || depths == nullptr) return false;
  std::array<std::uint16_t, max_distinct_factors> count{};  // count of each factor in the node
  for (std::size_t node = 0; node < size; ++node) {
    unsigned mask = 0;
    std::size_t held = factors.size();  // index of a factor in the node, if any
    for (std::size_t k = 0; k < factors.size(); ++k) {
      if (count[k] < factors[k].count) mask |= 1U << k;
      if (count[k] > 0) held = k;
    }
    const std::size_t less = held == factors.size() ? 0 : node - strides_[held];
    values[node] = node == 0 ? 1 : values[less] * factors[held].value;
    depths[node] = node == 0 ? 0 : static_cast<std::uint8_t>(depths[less] + 1);
    steps[node] = static_cast<std::uint16_t>(mask);
    for (std::size_t k = 0; k < factors.size() && ++count[k] > factors[k].count; ++k) count[k] = 0;
  }
  values_ = values;
  steps_ = steps;
  depths_ = depths;
  return true;
}

void FactorLattice::complement(LatticeNode node, FactorSet& rest) const {
  rest.factors.clear();
  for (std::size_t k = 0; k < set_.factors.size(); ++k) {
    const auto count = node / strides_[k] % (set_.factors[k].count + 1);
    for (auto i = static_cast<std::size_t>(count); i < set_.factors[k].count; ++i)
      rest.add(set_.factors[k].value);
  }
}

}  // namespace nestor

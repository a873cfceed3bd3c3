#include "model/loopnest/search/factor_lattice.h"

namespace nestor {

bool FactorLattice::build(const FactorSet& set, Arena& arena) {
  set_ = set;
  std::size_t size = 1;
  for (std::size_t k = 0; k < set.factors.size(); ++k) {
    strides_[k] = static_cast<LatticeNode>(size);
    size *= set.factors[k].count + std::size_t{1};
    if (size > 0xFFFF) return false;
  }
  size_ = size;
  Int* values = arena.allocate<Int>(size);
  auto* steps = arena.allocate<std::uint16_t>(size);
  auto* depths = arena.allocate<std::uint8_t>(size);
  if (values == nullptr || steps == nullptr || depths == nullptr) return false;
  for (std::size_t node = 0; node < size; ++node) {
    Int value = 1;
    unsigned mask = 0;
    int depth = 0;
    for (std::size_t k = 0; k < set.factors.size(); ++k) {
      const auto count = node / strides_[k] % (set.factors[k].count + std::size_t{1});
      for (std::size_t i = 0; i < count; ++i) value *= set.factors[k].value;
      depth += static_cast<int>(count);
      if (count < set.factors[k].count) mask |= 1U << k;
    }
    values[node] = value;
    steps[node] = static_cast<std::uint16_t>(mask);
    depths[node] = static_cast<std::uint8_t>(depth);
  }
  values_ = values;
  steps_ = steps;
  depths_ = depths;
  return true;
}

FactorSet FactorLattice::complement(LatticeNode node) const {
  FactorSet rest;
  for (std::size_t k = 0; k < set_.factors.size(); ++k) {
    const auto count = node / strides_[k] % (set_.factors[k].count + 1);
    for (auto i = static_cast<std::size_t>(count); i < set_.factors[k].count; ++i)
      rest.add(set_.factors[k].value);
  }
  return rest;
}

}  // namespace nestor

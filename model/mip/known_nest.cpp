#include "model/mip/known_nest.h"

#include <algorithm>

namespace nestor::mip {
namespace {

void add(FactorCounts& sum, const FactorCounts& more) {
  for (std::size_t k = 0; k < sum.size(); ++k) sum[k] = static_cast<std::uint16_t>(sum[k] + more[k]);
}

// Distributes a dimension's factors over products with given values. Factors may be composite, so a value can
// have several factorizations.
class Dealer {
 public:
  Dealer(const Lattice& lattice, std::vector<Int> values) : lattice_(lattice), values_(std::move(values)) {
    nodes_.resize(values_.size());
  }
  bool deal() { return deal(0, {}); }
  std::size_t node(std::size_t i) const { return nodes_[i]; }

 private:
  bool deal(std::size_t i, FactorCounts used) {
    if (i == values_.size()) return used == lattice_.nodes().back().count;
    for (std::size_t n = 0; n < lattice_.nodes().size(); ++n) {
      const LatticeNode& node = lattice_.nodes()[n];
      if (node.value != values_[i]) continue;
      FactorCounts more = used;
      add(more, node.count);
      bool fits = true;
      for (std::size_t k = 0; k < more.size(); ++k)
        fits = fits && more[k] <= lattice_.nodes().back().count[k];
      nodes_[i] = n;
      if (fits && deal(i + 1, more)) return true;
    }
    return false;
  }

  const Lattice& lattice_;
  std::vector<Int> values_;
  std::vector<std::size_t> nodes_;
};

// Sorts and merges runs of loops between which no operand changes its memory. The innermost loop of a run
// stays in place if an operand changes its memory directly inside this loop, because the operand's transfers
// depend on the loop's factor.
std::vector<Loop> commuted(const Mapping& mapping, const Hierarchy& machine) {
  std::vector<Loop> loops(mapping.loops.begin(), mapping.loops.end());
  std::array<std::uint8_t, operand_count> innermost{};
  for (const Operand operand : all_operands)
    innermost[index_of(operand)] = static_cast<std::uint8_t>(machine.innermost(operand));
  std::vector<Loop> result;
  for (std::size_t i = 0; i < loops.size();) {
    std::size_t end = i + 1;
    while (end < loops.size() && loops[end].at == loops[i].at) ++end;
    const bool moves = (end < loops.size() ? loops[end].at : innermost) != loops[i].at;
    const std::size_t free = moves ? end - 1 : end;
    std::array<Int, dim_count> factors = unit_extents;
    for (std::size_t j = i; j < free; ++j) factors[index_of(loops[j].dim)] *= loops[j].factor;
    for (const Dim dim : all_dims)
      if (factors[index_of(dim)] > 1) result.push_back({dim, factors[index_of(dim)], loops[i].at});
    if (moves) result.push_back(loops[free]);
    i = end;
  }
  return result;
}

}  // namespace

FactorCounts KnownNest::content(const Lattices& lattices, Operand operand, std::size_t memory,
                                std::size_t dim) const {
  FactorCounts counts{};
  for (const KnownSlot& slot : slots)
    if (slot.dim == static_cast<int>(dim) && slot.at[index_of(operand)] >= memory)
      add(counts, lattices[dim].nodes()[slot.node].count);
  return counts;
}

FactorCounts KnownNest::below(const Lattices& lattices, std::size_t axis, std::size_t dim) const {
  FactorCounts counts{};
  for (std::size_t a = axis; a < axes.size(); ++a) add(counts, lattices[dim].nodes()[axes[a][dim]].count);
  return counts;
}

std::size_t slot_count(const FactorSets& factors) {
  std::size_t slots = 0;
  for (const FactorSet& set : factors) slots += static_cast<std::size_t>(set.size());
  return slots;
}

std::optional<KnownNest> known_nest(const Mapping& mapping, const Hierarchy& machine,
                                    const Lattices& lattices, std::size_t slots, bool ordered) {
  const std::vector<Loop> loops =
      ordered ? commuted(mapping, machine) : std::vector<Loop>(mapping.loops.begin(), mapping.loops.end());
  if (loops.size() > slots) return std::nullopt;
  KnownNest known;
  known.slots.resize(slots);
  known.axes.resize(machine.axes.size());
  for (KnownSlot& slot : known.slots)
    for (const Operand operand : all_operands)
      slot.at[index_of(operand)] = static_cast<std::uint8_t>(machine.home(operand));
  const std::size_t first = slots - loops.size();
  for (std::size_t d = 0; d < dim_count; ++d) {
    std::vector<Int> values;
    for (std::size_t a = 0; a < machine.axes.size(); ++a) values.push_back(mapping.spatial[a][d]);
    for (const Loop& loop : loops)
      if (index_of(loop.dim) == d) values.push_back(loop.factor);
    Dealer dealer(lattices[d], std::move(values));
    if (!dealer.deal()) return std::nullopt;
    for (std::size_t a = 0; a < machine.axes.size(); ++a) known.axes[a][d] = dealer.node(a);
    std::size_t next = machine.axes.size();
    for (std::size_t i = 0; i < loops.size(); ++i)
      if (index_of(loops[i].dim) == d)
        known.slots[first + i] = {static_cast<int>(d), dealer.node(next++), loops[i].at};
  }
  // A memory that is filled once, from a home without loops, gains nothing from a second buffer.
  for (const Operand operand : all_operands) {
    const auto x = index_of(operand);
    const auto home = machine.home(operand);
    const bool fills = loops.empty() || loops.front().at[x] != home;
    const std::size_t filled = loops.empty() ? machine.innermost(operand) : loops.front().at[x];
    for (std::size_t m = 0; m < machine.memories.size(); ++m)
      if (mapping.double_buffered[m].contains(operand) && !(fills && m == filled))
        known.doubled[m].insert(operand);
  }
  return known;
}

}  // namespace nestor::mip

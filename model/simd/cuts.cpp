#include "model/simd/cuts.h"

#include <algorithm>
#include <optional>

namespace nestor::simd {
namespace {

// Returns the union of the leaves of three cuts in ascending order, or nothing if there are more than three
// leaves.
std::optional<Cut> merged_leaves(std::span<const Cut* const, 3> cuts) {
  Cut merged;
  for (const auto* cut : cuts) {
    for (std::size_t i = 0; i < cut->leaf_count; ++i) {
      const auto leaf = cut->leaves[i];
      std::size_t position = 0;
      while (position < merged.leaf_count && merged.leaves[position] < leaf) ++position;
      if (position < merged.leaf_count && merged.leaves[position] == leaf) continue;
      if (merged.leaf_count == merged.leaves.size()) return std::nullopt;
      for (std::size_t k = merged.leaf_count; k > position; --k) merged.leaves[k] = merged.leaves[k - 1];
      merged.leaves[position] = leaf;
      ++merged.leaf_count;
    }
  }
  return merged;
}

// Returns the table of `cut` over the leaves of `over`, which include all leaves of `cut`.
Table3 stretched(const Cut& cut, const Cut& over) {
  std::array<std::size_t, 3> position{};
  for (std::size_t i = 0; i < cut.leaf_count; ++i) {
    while (over.leaves[position[i]] != cut.leaves[i]) ++position[i];
  }
  Table3 table = 0;
  for (unsigned row = 0; row < 8; ++row) {
    unsigned inner = 0;
    for (std::size_t i = 0; i < cut.leaf_count; ++i) inner |= ((row >> position[i]) & 1U) << i;
    table = static_cast<Table3>(table | (((cut.table >> inner) & 1U) << row));
  }
  return table;
}

bool depends_on(Table3 table, std::size_t variable) {
  const auto shift = 1U << variable;
  const auto mask = table_of_variable[variable];
  return ((table & mask) >> shift) != (table & static_cast<Table3>(~mask));
}

// Removes leaves on which the function does not depend.
void drop_idle_leaves(Cut& cut) {
  Cut kept;
  for (std::size_t i = 0; i < cut.leaf_count; ++i) {
    if (depends_on(cut.table, i)) kept.leaves[kept.leaf_count++] = cut.leaves[i];
  }
  if (kept.leaf_count == cut.leaf_count) return;
  for (unsigned row = 0; row < 8; ++row) {
    unsigned outer = 0;
    std::size_t next = 0;
    for (std::size_t i = 0; i < cut.leaf_count; ++i) {
      if (next < kept.leaf_count && cut.leaves[i] == kept.leaves[next]) outer |= ((row >> next++) & 1U) << i;
    }
    const unsigned bit = (static_cast<unsigned>(cut.table) >> outer) & 1U;
    kept.table = static_cast<Table3>(kept.table | (bit << row));
  }
  cut = kept;
}

bool is_subset(const Cut& small, const Cut& large) {
  return std::includes(large.leaves.begin(), large.leaves.begin() + large.leaf_count, small.leaves.begin(),
                       small.leaves.begin() + small.leaf_count);
}

}  // namespace

CutTable::CutTable(const Netlist& netlist, std::span<const std::uint32_t> readers) : readers_(readers) {
  begin_.assign(std::size_t{netlist.node_count()} + 1, 0);
  flow_.assign(netlist.node_count(), 0);
  for (auto node = netlist.first_gate(); node < netlist.node_count(); ++node) {
    begin_[node] = static_cast<std::uint32_t>(cuts_.size());
    add_gate(netlist, node);
    cuts_.insert(cuts_.end(), best_.begin(), best_.end());
    begin_[node + 1] = static_cast<std::uint32_t>(cuts_.size());
    flow_[node] = best_.front().flow / static_cast<float>(std::max(1U, readers_[node]));
  }
}

void CutTable::add_gate(const Netlist& netlist, NodeIndex node) {
  const auto& gate = netlist.gate(node);
  // In addition to the cuts of a fanin, the fanin itself can be a leaf; the constant has no leaf.
  std::array<Cut, 3> trivial;
  std::array<std::span<const Cut>, 3> own;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto fanin = gate.fanin[i].node();
    if (fanin != 0) trivial[i] = {{fanin}, 1, table_of_variable[0], 0, 0};
    if (netlist.is_gate(fanin)) own[i] = of(fanin);
  }
  best_.clear();
  const auto choice = [&](std::size_t i, std::size_t k) { return k == 0 ? &trivial[i] : &own[i][k - 1]; };
  for (std::size_t a = 0; a <= own[0].size(); ++a) {
    for (std::size_t b = 0; b <= own[1].size(); ++b) {
      for (std::size_t c = 0; c <= own[2].size(); ++c) {
        const std::array<const Cut*, 3> chosen = {choice(0, a), choice(1, b), choice(2, c)};
        consider(gate, chosen);
      }
    }
  }
}

void CutTable::consider(const Gate& gate, std::span<const Cut* const, 3> fanin_cuts) {
  auto cut = merged_leaves(fanin_cuts);
  if (!cut) return;
  std::array<Table3, 3> value{};
  for (std::size_t i = 0; i < 3; ++i) {
    value[i] = stretched(*fanin_cuts[i], *cut);
    if (gate.fanin[i].complemented()) value[i] = static_cast<Table3>(~value[i]);
  }
  cut->table =
      gate.kind == GateKind::xor3
          ? static_cast<Table3>(value[0] ^ value[1] ^ value[2])
          : static_cast<Table3>((value[0] & value[1]) | (value[0] & value[2]) | (value[1] & value[2]));
  drop_idle_leaves(*cut);
  cut->gates = static_cast<std::uint8_t>(FunctionTable::get().cost(cut->table));
  cut->flow = cut->gates;
  for (std::size_t i = 0; i < cut->leaf_count; ++i) cut->flow += flow_[cut->leaves[i]];
  insert(*cut);
}

// Inserts a cut. The list stays sorted by flow, has at most `most_cuts` cuts, and has no cut that contains
// all leaves of a better cut.
void CutTable::insert(const Cut& cut) {
  const auto better = [](const Cut& a, const Cut& b) {
    return a.flow != b.flow ? a.flow < b.flow : a.leaf_count < b.leaf_count;
  };
  for (const auto& other : best_) {
    if (!better(cut, other) && is_subset(other, cut)) return;
  }
  std::erase_if(best_, [&](const Cut& other) { return better(cut, other) && is_subset(cut, other); });
  best_.insert(std::upper_bound(best_.begin(), best_.end(), cut, better), cut);
  if (best_.size() > most_cuts) best_.pop_back();
}

}  // namespace nestor::simd

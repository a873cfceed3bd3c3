#include "support/pim_cases.h"

#include <algorithm>
#include <set>

#include "base/random.h"
#include "model/loopnest/canonical.h"
#include "model/pim/boundaries.h"
#include "model/pim/legality.h"

namespace nestor::tests {
namespace {

using pim::Layout;
using pim::LayoutKind;
using pim::PimMachine;
using pim::PimMapping;

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed) {}
  Int between(Int low, Int high) {
    return low + static_cast<Int>(random_.below(static_cast<std::uint64_t>(high - low + 1)));
  }
  bool once_in(Int n) { return between(1, n) == 1; }
  template <typename T, std::size_t N>
  T one_of(const std::array<T, N>& items) {
    return items[static_cast<std::size_t>(between(0, static_cast<Int>(N) - 1))];
  }

 private:
  Random random_;
};

OperandSet all_three() { return OperandSet::of(Operand::I, Operand::W, Operand::O); }

Axis random_axis(Dice& dice) {
  Axis axis{.size = dice.between(1, 4)};
  for (const Dim dim : group_dims)
    if (!dice.once_in(3)) axis.dims.insert(dim);
  if (axis.dims.empty()) axis.dims.insert(Dim::K);
  return axis;
}

PimMachine random_machine(Dice& dice, const LayerShape& layer) {
  PimMachine machine;
  machine.blocks = dice.once_in(2) ? pim::BlockRule::even : pim::BlockRule::uneven;
  const bool shared = dice.once_in(2);
  const auto add = [&](Int capacity, Int bandwidth, double energy) {
    Memory memory{.operands = all_three(), .capacity = capacity, .bandwidth = bandwidth};
    memory.read_energy = energy;
    memory.write_energy = energy * 1.25;
    memory.shared_port = dice.once_in(5) ? !shared : shared;
    memory.axes_above = static_cast<std::uint8_t>(machine.axes.size());
    if (dice.once_in(6)) memory.read_bandwidth = dice.between(2, 40);
    if (dice.once_in(6)) memory.write_bandwidth = dice.between(2, 40);
    if (dice.once_in(5)) memory.access_latency = dice.between(1, 9);
    machine.memories.push_back(memory);
  };
  add(unlimited_capacity, dice.one_of(std::array<Int, 4>{4, 8, 16, 64}), 4);
  Memory& dram = machine.memories[0];
  if (!dice.once_in(8)) {
    dram.row = dice.one_of(std::array<Int, 6>{16, 24, 32, 64, 100, 256});
    dram.row =
        std::max({dram.row, layer.bits.input, layer.bits.weight, layer.bits.output, layer.bits.partial_sum});
    dram.banks = dice.one_of(std::array<Int, 3>{1, 2, 4});
    dram.activation_cycles = dice.between(0, 9);
    if (dice.once_in(3)) dram.activation_energy = 50;
  }
  const Int middle = dice.between(1, 2);
  for (Int i = 0; i < middle; ++i) {
    add(dice.one_of(std::array<Int, 5>{32, 64, 96, 128, 400}), dice.one_of(std::array<Int, 3>{8, 16, 32}), 1);
    Memory& memory = machine.memories[machine.memories.size() - 1];
    if (dice.once_in(3)) memory.operands.erase(dice.one_of(all_operands));
    if (dice.once_in(3)) machine.axes.push_back(random_axis(dice));
  }
  while (machine.axes.size() < 2)
    machine.axes.push_back(machine.axes.empty() || dice.once_in(2) ? random_axis(dice) : machine.axes.back());
  add(dice.one_of(std::array<Int, 4>{48, 64, 96, 160}), dice.one_of(std::array<Int, 3>{16, 32, 64}), 0.25);
  if (dice.once_in(2)) machine.axes.push_back(dice.once_in(2) ? random_axis(dice) : machine.axes.back());
  if (dice.once_in(2)) machine.dim_once = static_cast<std::uint8_t>(dice.between(1, 7));
  machine.mvm_cycles = dice.between(1, 3);
  machine.mac_energy = 0.5;
  if (dice.once_in(4)) machine.reduction_latency = dice.between(1, 20);
  return machine;
}

// Enumerates mappings: the factors of the axes, then the loops from the outermost inward, then the blocks.
class Enumerator {
 public:
  Enumerator(const PimCase& tiny, std::uint64_t limit, const std::function<void(const PimMapping&)>& visit)
      : case_(tiny), limit_(limit), visit_(visit) {}

  bool run() {
    PimMapping mapping;
    return place_axes(mapping, 0, 0, case_.layer.bounds, 1);
  }

 private:
  bool place_axes(PimMapping& mapping, std::size_t axis, std::size_t d, Extents left, Int lanes) {
    const auto& machine = case_.machine;
    if (axis == machine.axes.size()) return place_loops(mapping, left);
    if (d == dim_count) return place_axes(mapping, axis + 1, 0, left, 1);
    for (Int factor = 1; factor <= left[d]; ++factor) {
      if (left[d] % factor != 0 || lanes * factor > machine.axes[axis].size) continue;
      if (factor > 1 && !machine.axes[axis].dims.contains(static_cast<Dim>(d))) continue;
      Extents rest = left;
      rest[d] /= factor;
      mapping.nest.spatial[axis][d] = factor;
      if (!place_axes(mapping, axis, d + 1, rest, lanes * factor)) return false;
    }
    mapping.nest.spatial[axis][d] = 1;
    return true;
  }

  bool place_loops(PimMapping& mapping, const Extents& left) {
    bool done = true;
    for (std::size_t d = 0; d < dim_count; ++d)
      for (Int factor = 2; factor <= left[d]; ++factor) {
        if (left[d] % factor != 0) continue;
        done = false;
        Extents rest = left;
        rest[d] /= factor;
        mapping.nest.loops.push_back({.dim = static_cast<Dim>(d), .factor = factor});
        if (!place_loops(mapping, rest)) return false;
        mapping.nest.loops.pop_back();
      }
    for (const Int extent : left) done = done && extent == 1;
    if (!done) return true;
    seen_.clear();
    if (case_.machine.blocks == pim::BlockRule::even) return place_levels(mapping, 0, {});
    return place_blocks(mapping, 0, 0);
  }

  // Uneven blocks: every operand has its own blocks. Tries all memories for each loop and operand.
  bool place_blocks(PimMapping& mapping, std::size_t loop, std::size_t x) {
    if (loop == mapping.nest.loops.size()) return offer(mapping);
    if (x == operand_count) return place_blocks(mapping, loop + 1, 0);
    const auto& machine = case_.machine;
    const std::size_t first = loop == 0 ? 0 : mapping.nest.loops[loop - 1].at[x];
    for (std::size_t m = first; m < machine.memories.size(); ++m) {
      if (!machine.memories[m].operands.contains(static_cast<Operand>(x))) continue;
      mapping.nest.loops[loop].at[x] = static_cast<std::uint8_t>(m);
      if (!place_blocks(mapping, loop, x + 1)) return false;
    }
    return true;
  }

  // Even blocks: assigns a memory level to each loop, then tries every set of memories that store an operand.
  bool place_levels(PimMapping& mapping, std::size_t loop, std::vector<std::size_t> levels) {
    if (loop == mapping.nest.loops.size()) return store(mapping, levels, 0);
    for (std::size_t m = levels.empty() ? 0 : levels.back(); m < case_.machine.memories.size(); ++m) {
      levels.push_back(m);
      if (!place_levels(mapping, loop + 1, levels)) return false;
      levels.pop_back();
    }
    return true;
  }
  bool store(PimMapping& mapping, const std::vector<std::size_t>& levels, std::size_t x) {
    if (x == operand_count) return offer(mapping);
    const auto& machine = case_.machine;
    const auto operand = static_cast<Operand>(x);
    for (std::uint32_t set = 0; set < (1U << machine.memories.size()); ++set) {
      bool sensible = true;
      for (std::size_t m = 0; m < machine.memories.size(); ++m) {
        const bool stored = ((set >> m) & 1U) != 0;
        const bool always = m == machine.home(operand) || m == machine.innermost(operand);
        if (always ? !stored : stored && !machine.memories[m].operands.contains(operand)) sensible = false;
      }
      if (!sensible) continue;
      for (std::size_t i = 0; i < levels.size(); ++i) {
        std::size_t at = machine.home(operand);
        for (std::size_t m = at; m <= levels[i]; ++m)
          if (((set >> m) & 1U) != 0) at = m;
        mapping.nest.loops[i].at[x] = static_cast<std::uint8_t>(at);
      }
      if (!store(mapping, levels, x + 1)) return false;
    }
    return true;
  }

  bool offer(const PimMapping& mapping) {
    if (++tried_ > limit_) return false;
    PimMapping canonical = mapping;
    normalise(canonical.nest, case_.layer, case_.machine);
    std::vector<int> blocks;
    for (const Loop& loop : canonical.nest.loops)
      for (const std::uint8_t at : loop.at) blocks.push_back(at);
    if (!seen_.insert(blocks).second) return true;
    const auto violation = find_violation(case_.layer, case_.machine, canonical);
    if (violation && violation->rule == pim::PimRule::uneven) ++uneven_;
    if (!violation || violation->rule == pim::PimRule::uneven) visit_(canonical);
    return true;
  }

  const PimCase& case_;
  std::uint64_t limit_;
  const std::function<void(const PimMapping&)>& visit_;
  std::uint64_t tried_ = 0;
  std::uint64_t uneven_ = 0;
  std::set<std::vector<int>> seen_;
};

}  // namespace

PimCase random_pim_case(std::uint64_t seed, Int most_macs) {
  Dice dice(seed);
  PimCase made;
  Int macs = 1;
  for (int i = 0; i < 6; ++i) {
    const auto d = static_cast<std::size_t>(dice.between(0, group_dim_count - 1));
    const Int factor = dice.one_of(std::array<Int, 4>{2, 2, 3, 4});
    if (macs * factor > most_macs) break;
    macs *= factor;
    made.layer.bounds[d] *= factor;
  }
  made.layer.stride = {dice.between(1, 2), dice.between(1, 2)};
  made.layer.dilation = {dice.between(1, 2), dice.between(1, 2)};
  made.layer.bits = {dice.one_of(std::array<Int, 2>{4, 8}), dice.one_of(std::array<Int, 2>{4, 8}), 8,
                     dice.one_of(std::array<Int, 3>{8, 16, 16})};
  made.machine = random_machine(dice, made.layer);
  return made;
}

bool each_pim_mapping(const PimCase& tiny, std::uint64_t limit,
                      const std::function<void(const PimMapping&)>& visit) {
  return Enumerator(tiny, limit, visit).run();
}

bool random_pim_mapping(const PimCase& small, std::uint64_t seed, PimMapping& found) {
  Dice dice(seed);
  const PimMachine& machine = small.machine;
  for (int attempt = 0; attempt < 200; ++attempt) {
    PimMapping mapping;
    Extents left = small.layer.bounds;
    for (std::size_t a = 0; a < machine.axes.size(); ++a) {
      const auto d = static_cast<std::size_t>(dice.between(0, group_dim_count - 1));
      const Int factor = dice.between(1, machine.axes[a].size);
      if (left[d] % factor != 0 || !machine.axes[a].dims.contains(static_cast<Dim>(d))) continue;
      mapping.nest.spatial[a][d] = factor;
      left[d] /= factor;
    }
    std::vector<Loop> loops;
    for (std::size_t d = 0; d < dim_count; ++d)
      while (left[d] > 1) {
        Int factor = dice.between(2, left[d]);
        while (left[d] % factor != 0) --factor;
        if (factor == 1) factor = left[d];
        loops.push_back({.dim = static_cast<Dim>(d), .factor = factor});
        left[d] /= factor;
      }
    for (std::size_t i = loops.size(); i-- > 1;)
      std::swap(loops[i], loops[static_cast<std::size_t>(dice.between(0, static_cast<Int>(i)))]);
    const bool even = machine.blocks == pim::BlockRule::even;
    std::size_t level = 0;
    std::array<std::size_t, operand_count> at{};
    for (Loop& loop : loops) {
      if (dice.once_in(3)) level = std::min(machine.memories.size() - 1, level + 1);
      for (std::size_t x = 0; x < operand_count; ++x) {
        const std::size_t wanted = even ? level : std::max<std::size_t>(at[x], level);
        for (std::size_t m = wanted + 1; m-- > 0;)
          if (machine.memories[m].operands.contains(static_cast<Operand>(x))) {
            at[x] = m;
            break;
          }
        if (!even && dice.once_in(4))
          for (std::size_t m = at[x] + 1; m < machine.memories.size(); ++m)
            if (machine.memories[m].operands.contains(static_cast<Operand>(x))) {
              at[x] = m;
              break;
            }
        loop.at[x] = static_cast<std::uint8_t>(at[x]);
      }
      mapping.nest.loops.push_back(loop);
    }
    for (const Operand operand : all_operands) {
      if (!machine.has_rows(operand)) continue;
      Layout& layout = mapping.layouts[index_of(operand)];
      layout.kind = dice.one_of(std::array{LayoutKind::sequential, LayoutKind::hwc, LayoutKind::row_aligned});
      if (layout.kind == LayoutKind::hwc && operand == Operand::W) layout.kind = LayoutKind::row_aligned;
      if (layout.kind != LayoutKind::row_aligned || operand == Operand::W) continue;
      const auto size = pim::tensor_in_dram(small.layer, machine, mapping, operand);
      do layout.block_height = dice.between(1, size[2]);
      while (size[2] % layout.block_height != 0);
      do layout.block_width = dice.between(1, size[3]);
      while (size[3] % layout.block_width != 0);
    }
    pim::normalise(mapping, small.layer, machine);
    if (pim::find_violation(small.layer, machine, mapping)) continue;
    found = mapping;
    return true;
  }
  return false;
}

RandomWalk random_row_walk(std::uint64_t seed, Int most_accesses) {
  Dice dice(seed);
  for (;;) {
    LayerShape layer;
    layer.stride = {dice.between(1, 3), dice.between(1, 3)};
    layer.dilation = {dice.between(1, 3), dice.between(1, 3)};
    const Operand operand = dice.one_of(all_operands);
    Extents inside;
    for (Int& extent : inside)
      extent = &extent == &inside.back() ? 1 : dice.once_in(3) ? dice.between(1, 9) : dice.between(1, 4);
    RandomWalk made;
    made.layer = layer;
    made.contents.push_back(inside);
    made.walk.operand = operand;
    made.walk.planes = pim::has_planes(layer, operand);
    made.walk.tile = pim::tile_box(layer, operand, inside);
    Int accesses = 2;
    for (const Int side : made.walk.tile) accesses *= side;
    std::vector<pim::VisitLoop> innermost_first;
    for (Int loops = dice.between(0, 6); loops > 0; --loops) {
      const auto d = static_cast<std::size_t>(dice.between(0, group_dim_count - 1));
      const Int count = dice.between(2, 5);
      accesses *= count;
      innermost_first.push_back(pim::visit_loop(layer, operand, static_cast<Dim>(d), count, inside[d]));
      inside[d] *= count;
      made.contents.push_back(inside);
    }
    made.contents.erase(made.contents.end() - 1);
    std::reverse(made.contents.begin(), made.contents.end());
    if (accesses > most_accesses) continue;
    for (std::size_t i = innermost_first.size(); i-- > 0;) made.walk.loops.push_back(innermost_first[i]);
    made.walk.size = pim::tile_box(layer, operand, inside);
    made.walk.row_elements = dice.once_in(4) ? dice.between(1, 400) : dice.between(1, 40);
    made.walk.banks = dice.once_in(20) ? dice.between(9, 64) : dice.between(1, 8);
    if (dice.once_in(3)) made.walk.banks = 1;
    made.layout.kind =
        dice.one_of(std::array{LayoutKind::sequential, LayoutKind::hwc, LayoutKind::row_aligned});
    if (made.layout.kind == LayoutKind::hwc && operand == Operand::W)
      made.layout.kind = LayoutKind::sequential;
    if (made.layout.kind == LayoutKind::row_aligned && operand != Operand::W) {
      do made.layout.block_height = dice.between(1, made.walk.size[2]);
      while (made.walk.size[2] % made.layout.block_height != 0);
      do made.layout.block_width = dice.between(1, made.walk.size[3]);
      while (made.walk.size[3] % made.layout.block_width != 0);
    }
    return made;
  }
}

void tally(const PimCase& small, const PimMapping& mapping, FeatureTally& features) {
  const PimMachine& machine = small.machine;
  const auto count = [&features](const char* name, bool met) { features[name] += static_cast<int>(met); };
  count("even blocks", machine.blocks == pim::BlockRule::even);
  count("uneven blocks", machine.blocks == pim::BlockRule::uneven);
  count("shared ports", machine.memories[0].shared_port);
  count("ports per operand", !machine.memories[0].shared_port);
  count("several banks", machine.memories[0].banks > 1);
  count("once per dimension", machine.dim_once != 0);
  count("bandwidths apart", machine.memories[0].read_bandwidth + machine.memories[0].write_bandwidth > 0);
  const pim::PimNest nest(small.layer, machine, mapping);
  const auto out = nest.boundaries(Operand::O);
  count("returning sums", out[0].times > out[0].distinct);
  count("three memories", nest.boundaries(Operand::I).size() > 1);
  bool blocks = false;
  for (const Layout& layout : mapping.layouts) blocks |= layout.block_height > 1;
  count("blocks of planes", blocks);
  bool lanes = false;
  for (const Extents& axis : mapping.nest.spatial)
    for (const Int factor : axis) lanes |= factor > 1;
  count("lanes", lanes);
}

}  // namespace nestor::tests

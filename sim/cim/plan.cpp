#include "sim/cim/plan.h"

namespace nestor::sim::cim {
namespace {

__extension__ using Wide = __int128;
constexpr Wide time_limit = Wide{1} << 62;

/// Returns a product that saturates at time_limit instead of overflowing.
Wide saturating_product(Wide a, Wide b) {
  if (a == 0 || b == 0) return 0;
  return a >= time_limit || b >= time_limit || a > time_limit / b ? time_limit : a * b;
}

bool is_well_formed(const LayerShape& layer, const Architecture& machine, const Mapping& mapping) {
  if (machine.memories.empty() || machine.mvm_cycles < 1) return false;
  for (const std::size_t axis : {0U, 1U})
    if (layer.stride[axis] < 1 || layer.dilation[axis] < 1) return false;
  const BitWidths& bits = layer.bits;
  if (bits.input < 1 || bits.weight < 1 || bits.output < 1 || bits.partial_sum < 1) return false;
  for (const Extents& axis : mapping.spatial)
    for (const Int factor : axis)
      if (factor < 1) return false;
  for (const Memory& memory : machine.memories)
    if (memory.bandwidth < 1 || memory.axes_above > machine.axes.size()) return false;
  for (const Operand operand : all_operands) {
    std::size_t held_by = 0;
    for (const Memory& memory : machine.memories) held_by += memory.operands.contains(operand) ? 1U : 0U;
    if (held_by < 2) return false;
    std::size_t outermost = 0;
    for (const Loop& loop : mapping.loops) {
      const std::size_t m = loop.at[index_of(operand)];
      if (loop.factor < 2 || m < outermost || m >= machine.memories.size()) return false;
      if (!machine.memories[m].operands.contains(operand)) return false;
      outermost = m;
    }
  }
  return true;
}

class Planner {
 public:
  Planner(const LayerShape& layer, const Architecture& machine, const Mapping& mapping)
      : layer_(layer), machine_(machine), mapping_(mapping) {}

  PlanResult run() {
    if (!is_well_formed(layer_, machine_, mapping_)) return {std::nullopt, PlanFailure::malformed};
    plan_.mvm_cycles = machine_.mvm_cycles;
    Wide steps = 1;
    for (const Loop& loop : mapping_.loops) steps = saturating_product(steps, loop.factor);
    longest_ = saturating_product(steps, plan_.mvm_cycles);
    for (const Operand operand : all_operands) add_chain(operand);
    if (longest_ >= time_limit) return {std::nullopt, PlanFailure::too_long};
    plan_.steps = static_cast<Int>(steps);
    merge_loops();
    return {plan_, {}};
  }

 private:
  void add_chain(Operand operand) {
    const std::size_t innermost = machine_.innermost(operand);
    Level level;
    level.source = machine_.home(operand);
    level.first = loops_at_or_outside(operand, level.source);
    for (std::size_t m = level.source + 1; m <= innermost; ++m) {
      const std::size_t block_end = loops_at_or_outside(operand, m);
      if (block_end == level.first && m != innermost) continue;  // bypassed
      level.memory = m;
      level.doubled = mapping_.double_buffered[m].contains(operand);
      set_costs(operand, m == innermost, block_end, level);
      plan_.chains[index_of(operand)].push_back(level);
      level.source = m;
      level.first = block_end;
    }
  }

  /// Returns the number of outermost loops that are in the blocks of memory m or of memories further out.
  std::size_t loops_at_or_outside(Operand operand, std::size_t m) const {
    std::size_t count = 0;
    while (count < mapping_.loops.size() && mapping_.loops[count].at[index_of(operand)] <= m) ++count;
    return count;
  }

  void set_costs(Operand operand, bool is_innermost, std::size_t block_end, Level& level) {
    const Memory& source = machine_.memories[level.source];
    const Memory& memory = machine_.memories[level.memory];
    const bool output = operand == Operand::O;
    const bool revisited = output && reduction_in(0, level.first);
    const Int moved_width = revisited ? layer_.bits.partial_sum : width(operand);
    const bool partial =
        output && (is_innermost || reduction_in(0, block_end) || lanes_reduce(memory.axes_above));
    const Int stored_width = partial ? layer_.bits.partial_sum : width(operand);

    const Wide moved = saturating_product(tile(operand, level.first, source.axes_above), moved_width);
    const Wide stored = saturating_product(tile(operand, level.first, memory.axes_above), stored_width);
    Wide tiles = 1;
    for (std::size_t i = 0; i < level.first; ++i) tiles = saturating_product(tiles, mapping_.loops[i].factor);
    const Wide transfer = (moved + source.bandwidth - 1) / source.bandwidth;
    longest_ += saturating_product(tiles, transfer) * (output ? 2 : 1);
    if (moved >= time_limit || stored >= time_limit) longest_ = time_limit;
    if (longest_ >= time_limit) return;
    level.transfer = static_cast<Int>(transfer);
    level.tile_bits = static_cast<Int>(stored);
    level.tiles = static_cast<Int>(tiles);
  }

  Int width(Operand operand) const { return layer_.bits.of(operand); }

  bool reduction_in(std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end; ++i)
      if (layer_.is_reduction(mapping_.loops[i].dim)) return true;
    return false;
  }

  bool lanes_reduce(std::size_t axes) const {
    for (std::size_t a = 0; a < axes; ++a)
      for (const Dim dim : all_dims)
        if (layer_.is_reduction(dim) && mapping_.spatial[a][index_of(dim)] > 1) return true;
    return false;
  }

  /// Returns the number of an operand's elements that loops [first, n) and the axes from `axes_above` inward
  /// access.
  Wide tile(Operand operand, std::size_t first, std::size_t axes_above) const {
    std::array<Wide, dim_count> extent{};
    extent.fill(1);
    for (std::size_t a = axes_above; a < machine_.axes.size(); ++a)
      for (std::size_t d = 0; d < dim_count; ++d)
        extent[d] = saturating_product(extent[d], mapping_.spatial[a][d]);
    for (std::size_t i = first; i < mapping_.loops.size(); ++i) {
      const Loop& loop = mapping_.loops[i];
      extent[index_of(loop.dim)] = saturating_product(extent[index_of(loop.dim)], loop.factor);
    }
    for (const Dim dim : all_dims)
      if (!layer_.is_relevant(dim, operand)) extent[index_of(dim)] = 1;
    // Replaces outputs and taps by the extent of the window.
    const auto slide = [&](Dim out, Dim taps, std::size_t axis) {
      Wide& outputs = extent[index_of(out)];
      Wide& window = extent[index_of(taps)];
      const bool slides = layer_.is_relevant(out, operand) && layer_.is_relevant(taps, operand);
      if (!slides) return;
      window = saturating_product(outputs - 1, layer_.stride[axis]) +
               saturating_product(window - 1, layer_.dilation[axis]) + 1;
      outputs = 1;
    };
    slide(Dim::P, Dim::R, 0);
    slide(Dim::Q, Dim::S, 1);
    Wide product = 1;
    for (const Wide each : extent) product = saturating_product(product, each);
    return product;
  }

  /// Joins adjacent loops if no tile of any operand changes between them and they revisit outputs in the same
  /// way. They are then equivalent to one longer loop.
  void merge_loops() {
    std::array<bool, max_loops + 1> tile_changes{};
    for (const Chain& chain : plan_.chains)
      for (const Level& level : chain) tile_changes[level.first] = true;
    const std::size_t inside_outputs = plan_.chain(Operand::O).back().first;
    std::array<std::size_t, max_loops + 1> new_position{};
    for (std::size_t i = 0; i < mapping_.loops.size(); ++i) {
      const Loop& loop = mapping_.loops[i];
      const bool revisits = i < inside_outputs && layer_.is_reduction(loop.dim);
      const bool joins = !plan_.loops.empty() && !tile_changes[i] && plan_.loops.back().revisits == revisits;
      if (joins)
        plan_.loops.back().iterations *= loop.factor;
      else
        plan_.loops.push_back({loop.factor, revisits});
      new_position[i + 1] = plan_.loops.size();
    }
    for (Chain& chain : plan_.chains)
      for (Level& level : chain) level.first = new_position[level.first];
  }

  const LayerShape& layer_;
  const Architecture& machine_;
  const Mapping& mapping_;
  Plan plan_;
  Wide longest_ = 0;  ///< cycles if nothing overlaps
};

}  // namespace

PlanResult make_plan(const LayerShape& layer, const Architecture& machine, const Mapping& mapping) {
  return Planner(layer, machine, mapping).run();
}

}  // namespace nestor::sim::cim

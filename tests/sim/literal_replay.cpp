#include "sim/literal_replay.h"

#include <algorithm>
#include <utility>

#include "model/loopnest/rules/nest_tiles.h"

namespace nestor::tests {
namespace {

struct Tile {
  Int begin = -1;  ///< first cycle in which the tile occupies its buffer
  Int ready = 0;   ///< cycle from which I and W are present, or O can accumulate
  Int released = 0;
  bool fetched = false;
};

struct PortLevel {
  Operand operand = Operand::I;
  std::size_t memory = 0;
  std::size_t loops_outside = 0;
  bool doubled = false;
  Int transfer = 0;
  Int steps_inside = 1;
  Int port_free = 0;
  std::vector<Tile> tiles;
  LiteralLevel counts;

  std::size_t tile_of(Int step) const { return static_cast<std::size_t>(step / steps_inside); }
  bool starts_at(Int step) const { return step % steps_inside == 0; }
  bool ends_after(Int step) const { return (step + 1) % steps_inside == 0; }
  /// Returns when the previous tile in this tile's buffer was released.
  Int buffer_released(std::size_t t) const {
    const std::size_t buffers = doubled ? 2 : 1;
    return t < buffers ? 0 : tiles[t - buffers].released;
  }
};

class Literal {
 public:
  Literal(const LayerShape& layer, const Architecture& machine, const Mapping& mapping)
      : layer_(layer), mapping_(mapping), mvm_cycles_(machine.mvm_cycles) {
    for (const Loop& loop : mapping.loops) steps_ *= loop.factor;
    for (const Operand operand : all_operands) add_levels(layer, machine, operand);
  }

  LiteralReplay run() {
    for (Int step = 0; step < steps_; ++step) {
      for (const Operand operand : {Operand::I, Operand::W})
        for (std::size_t j = 0; j < levels(operand).size(); ++j)
          if (levels(operand)[j].starts_at(step)) fetch(operand, j, step);
      for (std::size_t j = 0; j < levels(Operand::O).size(); ++j)
        if (levels(Operand::O)[j].starts_at(step)) make_ready(j, step);
      multiply(step);
      for (std::size_t j = levels(Operand::O).size(); j-- > 0;)
        if (levels(Operand::O)[j].ends_after(step)) write_back(j, step);
    }
    for (const Operand operand : all_operands)
      for (PortLevel& level : levels(operand)) summarise(level);
    return result_;
  }

 private:
  void add_levels(const LayerShape& layer, const Architecture& machine, Operand operand) {
    const NestTiles tiles(layer, machine, mapping_);
    std::size_t outer = machine.home(operand);
    for (std::size_t m = outer + 1; m < machine.memories.size(); ++m) {
      if (!tiles.used(m, operand)) continue;
      PortLevel level;
      level.operand = operand;
      level.memory = m;
      level.loops_outside = tiles.content_begin(m, operand);
      level.doubled = mapping_.double_buffered[m].contains(operand);
      const Memory& source = machine.memories[std::exchange(outer, m)];
      const bool partial = operand == Operand::O && tiles.reduction_outside(level.loops_outside);
      const Int bits =
          tiles.tile(operand, level.loops_outside, source.axes_above) * layer.bits.of(operand, partial);
      level.transfer = (bits + source.bandwidth - 1) / source.bandwidth;
      for (std::size_t i = level.loops_outside; i < mapping_.loops.size(); ++i)
        level.steps_inside *= mapping_.loops[i].factor;
      level.tiles.resize(static_cast<std::size_t>(steps_ / level.steps_inside));
      levels(operand).push_back(level);
    }
  }

  std::vector<PortLevel>& levels(Operand operand) { return levels_[index_of(operand)]; }

  Int use_port(PortLevel& level, Int earliest) {
    level.port_free = std::max(level.port_free, earliest) + level.transfer;
    last_event_ = std::max(last_event_, level.port_free);
    return level.port_free;
  }

  void fetch(Operand operand, std::size_t j, Int step) {
    PortLevel& level = levels(operand)[j];
    const std::size_t t = level.tile_of(step);
    const Int source = j == 0 ? 0 : levels(operand)[j - 1].tiles[levels(operand)[j - 1].tile_of(step)].ready;
    Tile& tile = level.tiles[t];
    tile.ready = use_port(level, std::max(source, level.buffer_released(t)));
    tile.begin = tile.ready - level.transfer;
    ++level.counts.fetches;
    // Each transfer overwrites the release time of its source tile, so the last transfer determines it.
    if (j > 0) levels(operand)[j - 1].tiles[levels(operand)[j - 1].tile_of(step)].released = tile.ready;
  }

  /// True if some reduction loop outside the tile has a nonzero index in tile t.
  bool visited_before(const PortLevel& level, std::size_t t) const {
    Int rest = static_cast<Int>(t);
    for (std::size_t i = level.loops_outside; i-- > 0;) {
      const Loop& loop = mapping_.loops[i];
      if (layer_.is_reduction(loop.dim) && rest % loop.factor != 0) return true;
      rest /= loop.factor;
    }
    return false;
  }

  void fetch_partial_sums(PortLevel& level, std::size_t t, Int source_ready) {
    Tile& tile = level.tiles[t];
    const Int earliest = std::max(source_ready, level.buffer_released(t));
    tile.ready = use_port(level, earliest);
    tile.begin = tile.ready - level.transfer;
    tile.fetched = true;
    ++level.counts.fetches;
  }

  void make_ready(std::size_t j, Int step) {
    auto& chain = levels(Operand::O);
    PortLevel& level = chain[j];
    const std::size_t t = level.tile_of(step);
    const auto source_tile = [&](std::size_t tile) {
      const Int first_step = static_cast<Int>(tile) * level.steps_inside;
      return j == 0 ? 0 : chain[j - 1].tile_of(first_step);
    };
    const Int source_ready = j == 0 ? 0 : chain[j - 1].tiles[source_tile(t)].ready;
    if (visited_before(level, t)) {
      if (!level.tiles[t].fetched) fetch_partial_sums(level, t, source_ready);
    } else {
      level.tiles[t].ready = std::max(source_ready, level.buffer_released(t));
    }
    const bool can_fetch_ahead =
        level.doubled && t + 1 < level.tiles.size() && source_tile(t + 1) == source_tile(t);
    if (can_fetch_ahead && visited_before(level, t + 1)) fetch_partial_sums(level, t + 1, source_ready);
  }

  void multiply(Int step) {
    std::array<Int, operand_count> ready{};
    bool output_fetched = false;
    bool single_weights = false;
    for (const Operand operand : all_operands) {
      const PortLevel& level = levels(operand).back();
      const Tile& tile = level.tiles[level.tile_of(step)];
      ready[index_of(operand)] = tile.ready;
      if (operand == Operand::O) output_fetched = tile.fetched;
      if (operand == Operand::W) single_weights = !level.doubled;
    }
    const auto [input, weight, output] = ready;
    const Int start = std::max({mvm_end_, input, weight, output});
    const Int wait = start - mvm_end_;
    if (weight == start)
      result_.stalls[single_weights ? 0 : 1] += wait;
    else if (input == start)
      result_.stalls[2] += wait;
    else
      result_.stalls[output_fetched ? 3 : 4] += wait;
    mvm_end_ = start + mvm_cycles_;
    last_event_ = std::max(last_event_, mvm_end_);
    for (const Operand operand : {Operand::I, Operand::W}) {
      PortLevel& level = levels(operand).back();
      level.tiles[level.tile_of(step)].released = mvm_end_;
    }
    for (PortLevel& level : levels(Operand::O)) {
      Tile& tile = level.tiles[level.tile_of(step)];
      if (tile.begin < 0) tile.begin = start;
    }
  }

  void write_back(std::size_t j, Int step) {
    auto& chain = levels(Operand::O);
    PortLevel& level = chain[j];
    const Int complete =
        j + 1 == chain.size() ? mvm_end_ : chain[j + 1].tiles[chain[j + 1].tile_of(step)].released;
    level.tiles[level.tile_of(step)].released = use_port(level, complete);
    ++level.counts.write_backs;
  }

  void summarise(PortLevel& level) {
    level.counts.operand = level.operand;
    level.counts.memory = level.memory;
    std::vector<std::pair<Int, Int>> changes;  // time, and +1 or -1; ends sort before begins
    for (const Tile& tile : level.tiles) {
      level.counts.buffer_cycles += tile.released - tile.begin;
      changes.emplace_back(tile.begin, 1);
      changes.emplace_back(tile.released, -1);
    }
    std::sort(changes.begin(), changes.end());
    Int occupied = 0;
    for (const auto& [time, change] : changes) {
      occupied += change;
      level.counts.peak_buffers = std::max(level.counts.peak_buffers, occupied);
    }
    result_.cycles = last_event_;
    result_.levels.push_back(level.counts);
  }

  const LayerShape& layer_;
  const Mapping& mapping_;
  Int mvm_cycles_;
  Int steps_ = 1;
  std::array<std::vector<PortLevel>, operand_count> levels_;
  Int mvm_end_ = 0;
  Int last_event_ = 0;
  LiteralReplay result_;
};

}  // namespace

LiteralReplay literal_replay(const LayerShape& layer, const Architecture& machine, const Mapping& mapping) {
  return Literal(layer, machine, mapping).run();
}

}  // namespace nestor::tests

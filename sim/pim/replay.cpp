#include "sim/pim/replay.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace nestor::sim::pim {
namespace {

using nestor::pim::Coordinates;
using nestor::pim::PimMachine;
using nestor::pim::PimMapping;

// First and last index in every dimension.
struct Ranges {
  Extents first{};
  Extents last{};
};

// The part of an operand's tensor that ranges of indices access.
struct Box {
  Coordinates start{};
  Coordinates size{};
  Int elements() const { return size[0] * size[1] * size[2] * size[3]; }
};

Box box_of(const LayerShape& layer, Operand operand, const Ranges& ranges) {
  const auto plain = [&](Dim dim) {
    return std::pair{ranges.first[index_of(dim)], ranges.last[index_of(dim)]};
  };
  const auto window = [&](Dim out, Dim tap, std::size_t direction) {
    const auto place = [&](const Extents& at) {
      return at[index_of(out)] * layer.stride[direction] + at[index_of(tap)] * layer.dilation[direction];
    };
    return std::pair{place(ranges.first), place(ranges.last)};
  };
  std::array<std::pair<Int, Int>, 4> sides;
  if (operand == Operand::I)
    sides = {plain(Dim::N), plain(Dim::C), window(Dim::P, Dim::R, 0), window(Dim::Q, Dim::S, 1)};
  else if (operand == Operand::W)
    sides = {plain(Dim::K), plain(Dim::C), plain(Dim::R), plain(Dim::S)};
  else
    sides = {plain(Dim::N), plain(Dim::K), plain(Dim::P), plain(Dim::Q)};
  Box box;
  for (std::size_t c = 0; c < sides.size(); ++c) {
    box.start[c] = sides[c].first;
    box.size[c] = sides[c].second - sides[c].first + 1;
  }
  return box;
}

// Number of bits that cross a border in each direction.
struct Crossing {
  Int in = 0;
  Int out = 0;
};

// Transfers of the tiles stored in memory `to`, from and to memory `from`.
struct Border {
  Operand operand = Operand::I;
  std::size_t from = 0;
  std::size_t to = 0;
  std::size_t outside = 0;  // number of loops outside the tile
  Crossing shared{};        // bits that all lanes share
  Crossing copied{};        // bits of the separate copies of all lanes
};

class Replayer {
 public:
  Replayer(const LayerShape& layer, const PimMachine& machine, const PimMapping& mapping,
           const ReplayLimits& limits, AccessLog* log)
      : layer_(layer),
        machine_(machine),
        mapping_(mapping),
        limits_(limits),
        log_(log),
        index_(mapping.nest.loops.size(), 0) {
    for (const Operand operand : all_operands) find_borders(operand);
  }

  Replay run() {
    std::size_t moved = 0;  // the outermost loop that the last step advanced
    for (bool more = true; more; more = advance(moved)) {
      if (result_.steps == limits_.step_limit) return stopped(ReplayEnd::step_limit);
      ++result_.steps;
      for (Border& border : borders_)
        if (result_.steps == 1 || moved < border.outside) visit(border);
      if (result_.accesses > limits_.access_limit) return stopped(ReplayEnd::access_limit);
    }
    take_stock();
    return result_;
  }

 private:
  Replay stopped(ReplayEnd status) {
    result_.status = status;
    return result_;
  }

  bool used(std::size_t m, Operand operand) const {
    if (m == machine_.home(operand) || m == machine_.innermost(operand)) return true;
    for (const Loop& loop : mapping_.nest.loops)
      if (loop.at[index_of(operand)] == m) return true;
    return mapping_.stored[m].contains(operand);
  }

  void find_borders(Operand operand) {
    std::size_t from = machine_.home(operand);
    for (std::size_t to = from + 1; to < machine_.memories.size(); ++to) {
      if (!used(to, operand)) continue;
      Border border{.operand = operand, .from = from, .to = to};
      for (const Loop& loop : mapping_.nest.loops)
        border.outside += static_cast<std::size_t>(loop.at[index_of(operand)] < to);
      borders_.push_back(border);
      from = to;
    }
    if (machine_.has_rows(operand)) {
      const auto x = index_of(operand);
      const std::size_t home = machine_.home(operand);
      const Box tensor = box_of(layer_, operand, ranges(0, machine_.memories[home].axes_above));
      const bool open = partial_outside(first_border(operand).outside) && operand == Operand::O;
      const Int width = open ? layer_.bits.partial_sum : layer_.bits.of(operand);
      tracers_[x].emplace(RowGeometry{operand, tensor.size, machine_.memories[home].row / width,
                                      machine_.memories[home].banks, mapping_.layouts[x]},
                          log_);
    }
  }
  const Border& first_border(Operand operand) const {
    return *std::find_if(borders_.begin(), borders_.end(),
                         [&](const Border& border) { return border.operand == operand; });
  }

  // Advances the loops by one step; the innermost loop advances fastest. Sets `moved` to the outermost loop
  // whose index changed. Returns false after the last step.
  bool advance(std::size_t& moved) {
    for (std::size_t i = index_.size(); i-- > 0;) {
      if (++index_[i] < mapping_.nest.loops[i].factor) {
        moved = i;
        return true;
      }
      index_[i] = 0;
    }
    return false;
  }

  // Returns the ranges of indices that the loops from `begin` inward and the axes from `axis` on cover, for
  // the current indices of the outer loops.
  Ranges ranges(std::size_t begin, std::size_t axis) const {
    Ranges ranges;
    Extents weight = unit_extents;
    for (std::size_t a = axis; a < machine_.axes.size(); ++a)
      for (std::size_t d = 0; d < dim_count; ++d) weight[d] *= mapping_.nest.spatial[a][d];
    for (std::size_t d = 0; d < dim_count; ++d) ranges.last[d] = weight[d] - 1;
    for (std::size_t i = mapping_.nest.loops.size(); i-- > 0;) {
      const Loop& loop = mapping_.nest.loops[i];
      const auto d = index_of(loop.dim);
      if (i >= begin) {
        ranges.last[d] += (loop.factor - 1) * weight[d];
      } else {
        ranges.first[d] += index_[i] * weight[d];
        ranges.last[d] += index_[i] * weight[d];
      }
      weight[d] *= loop.factor;
    }
    return ranges;
  }

  // True if one of the `outside` outermost loops is a reduction, so that partial sums leave the tile and
  // return.
  bool partial_outside(std::size_t outside) const {
    for (std::size_t i = 0; i < outside; ++i)
      if (layer_.is_reduction(mapping_.nest.loops[i].dim)) return true;
    return false;
  }
  bool seen_before(std::size_t outside) const {
    for (std::size_t i = 0; i < outside; ++i)
      if (layer_.is_reduction(mapping_.nest.loops[i].dim) && index_[i] != 0) return true;
    return false;
  }
  Int lanes(std::size_t begin, std::size_t end) const {
    Int lanes = 1;
    for (std::size_t a = begin; a < end; ++a)
      for (const Int factor : mapping_.nest.spatial[a]) lanes *= factor;
    return lanes;
  }
  bool reduced_between_lanes(std::size_t end) const {
    for (std::size_t a = 0; a < end; ++a)
      for (const Dim dim : all_dims)
        if (layer_.is_reduction(dim) && mapping_.nest.spatial[a][index_of(dim)] > 1) return true;
    return false;
  }

  void visit(Border& border) {
    const auto x = index_of(border.operand);
    const Memory& source = machine_.memories[border.from];
    const Memory& target = machine_.memories[border.to];
    const bool output = border.operand == Operand::O;
    const bool partial = output && partial_outside(border.outside);
    const Int width = partial ? layer_.bits.partial_sum : layer_.bits.of(border.operand);
    const Box box = box_of(layer_, border.operand, ranges(border.outside, source.axes_above));
    const Box own = box_of(layer_, border.operand, ranges(border.outside, target.axes_above));
    const Int shared = box.elements() * width;
    const Int own_width =
        output && reduced_between_lanes(target.axes_above) ? layer_.bits.partial_sum : width;
    const Int copied = own.elements() * own_width * lanes(source.axes_above, target.axes_above);
    const bool returns = output && seen_before(border.outside);
    const int visits = returns ? 2 : 1;
    if (!output || returns) {
      border.shared.in += shared;
      border.copied.in += copied;
    }
    if (output) {
      border.shared.out += shared;
      border.copied.out += copied;
    }
    if (!tracers_[x] || border.from != machine_.home(border.operand)) return;
    for (int i = 0; i < visits; ++i) {
      tracers_[x]->set_visit(result_.steps - 1, output && i == visits - 1);
      tracers_[x]->visit(box.start, box.size);
    }
    result_.accesses += visits * box.elements();
  }

  Int port_time(std::size_t m, const Crossing& bits) {
    const Memory& memory = machine_.memories[m];
    const auto whole = [&](Int amount, Int rate) {
      result_.moving_cycles[m] += static_cast<double>(amount) / static_cast<double>(rate);
      return (amount + rate - 1) / rate;
    };
    if (memory.read_bandwidth == 0 && memory.write_bandwidth == 0)
      return whole(bits.in + bits.out, memory.bandwidth);
    const Int read = memory.read_bandwidth > 0 ? memory.read_bandwidth : memory.bandwidth;
    const Int write = memory.write_bandwidth > 0 ? memory.write_bandwidth : memory.bandwidth;
    return whole(bits.in, read) + whole(bits.out, write);
  }

  void add_time(std::size_t m, Int cycles) {
    Int& total = result_.memory_cycles[m];
    total = machine_.memories[m].shared_port ? total + cycles : std::max(total, cycles);
  }

  void take_stock() {
    double macs = 1;
    for (const Int bound : layer_.bounds) macs *= static_cast<double>(bound);
    result_.compute_energy_pj = result_.energy_pj = macs * machine_.mac_energy;
    for (const Border& border : borders_) {
      const auto x = index_of(border.operand);
      const Memory& source = machine_.memories[border.from];
      const Memory& target = machine_.memories[border.to];
      result_.bits[border.from][x] += border.shared.in + border.shared.out;
      Int cycles = port_time(border.from, border.shared);
      const auto instances = static_cast<double>(lanes(0, source.axes_above));
      if (tracers_[x] && border.from == machine_.home(border.operand)) {
        result_.activations[x] = tracers_[x]->activations();
        cycles += tracers_[x]->activations() * source.activation_cycles;
        const double opened =
            static_cast<double>(tracers_[x]->activations()) * instances * source.activation_energy;
        result_.activation_energy_pj += opened;
        result_.energy_pj += opened;
      }
      add_time(border.from, cycles);
      const auto energy = [&](const Crossing& bits, double in, double out) {
        return (static_cast<double>(bits.in) * in + static_cast<double>(bits.out) * out) * instances;
      };
      const double given = energy(border.shared, source.read_energy, source.write_energy);
      const double taken = energy(border.copied, target.write_energy, target.read_energy);
      result_.memory_energy_pj[border.from][x] += given;
      result_.memory_energy_pj[border.to][x] += taken;
      result_.energy_pj += given + taken;
    }
    for (const Operand operand : all_operands) serve_steps(operand);
    result_.cycles = result_.steps * machine_.mvm_cycles + machine_.reduction_latency;
    for (std::size_t m = 0; m < machine_.memories.size(); ++m) {
      bool any = false;
      for (const Operand operand : all_operands)
        any |= machine_.memories[m].operands.contains(operand) && used(m, operand);
      if (!any) continue;
      result_.memory_cycles[m] += machine_.memories[m].access_latency;
      result_.cycles = std::max(result_.cycles, result_.memory_cycles[m]);
    }
  }

  // Adds the accesses of the innermost memory, which serves the data of every step. Sums move in both
  // directions.
  void serve_steps(Operand operand) {
    const std::size_t m = machine_.innermost(operand);
    const Memory& memory = machine_.memories[m];
    const bool output = operand == Operand::O;
    const Int width = output ? layer_.bits.partial_sum : layer_.bits.of(operand);
    const Int step =
        box_of(layer_, operand, ranges(mapping_.nest.loops.size(), memory.axes_above)).elements() * width;
    const Crossing bits{.in = step * result_.steps, .out = output ? step * result_.steps : 0};
    result_.bits[m][index_of(operand)] = bits.in + bits.out;
    add_time(m, port_time(m, bits));
    const double served = (static_cast<double>(bits.in) * memory.read_energy +
                           static_cast<double>(bits.out) * memory.write_energy) *
                          static_cast<double>(lanes(0, memory.axes_above));
    result_.memory_energy_pj[m][index_of(operand)] += served;
    result_.energy_pj += served;
  }

  const LayerShape& layer_;
  const PimMachine& machine_;
  const PimMapping& mapping_;
  const ReplayLimits& limits_;
  AccessLog* log_;
  std::vector<Int> index_;
  std::vector<Border> borders_;
  std::array<std::optional<RowTracer>, operand_count> tracers_;
  Replay result_;
};

}  // namespace

Replay replay(const LayerShape& layer, const PimMachine& machine, const PimMapping& mapping,
              const ReplayLimits& limits, AccessLog* log) {
  return Replayer(layer, machine, mapping, limits, log).run();
}

}  // namespace nestor::sim::pim

#include "model/pim/search/transfer_table.h"

#include <algorithm>

#include "model/pim/rows/activation_floor.h"

namespace nestor::pim {
namespace {

std::size_t contents_of(const OperandSetup& setup) {
  std::size_t count = 1;
  for (const FactorSet& set : setup.temporal) count *= FactorLattice::size_of(set);
  return count;
}

// Bits over a port in both directions, as cycles that are not rounded.
double port_time(const Memory& memory, double in, double out) {
  const bool split = memory.read_bandwidth != 0 || memory.write_bandwidth != 0;
  const Int read = split && memory.read_bandwidth != 0 ? memory.read_bandwidth : memory.bandwidth;
  const Int write = split && memory.write_bandwidth != 0 ? memory.write_bandwidth : memory.bandwidth;
  return in / static_cast<double>(read) + out / static_cast<double>(write);
}

}  // namespace

std::size_t TransferTable::bytes_needed(const OperandSetup& setup) {
  std::size_t lattices = 0;
  for (const FactorSet& set : setup.temporal) lattices += FactorLattice::bytes_needed(set);
  return lattices +
         contents_of(setup) * (setup.chain.size() * (sizeof(Int) + sizeof(Bounds)) + 2 * sizeof(Int)) + 64;
}

bool TransferTable::build(const Problem& problem, const OperandSetup& setup, Arena& arena, Arena& scratch) {
  setup_ = setup;
  stops_ = problem.table.has_value();
  targets_ = jump_targets(problem.constraints, setup);
  for (std::size_t d = 0; d < dim_count; ++d) {
    if (!lattices_[d].build(setup.temporal[d], arena)) return false;
    strides_[d] = static_cast<ContentIndex>(lattices_[d].size() > 1 ? count_ : 0);
    count_ *= lattices_[d].size();
  }
  const std::size_t row = setup.chain.size();
  elements_ = arena.allocate<Int>(count_ * row);
  bounds_ = arena.allocate<Bounds>(count_ * row);
  Bounds* arrived = scratch.allocate<Bounds>(count_ * row);  // a loop was just placed: the operand may jump
  if (elements_ == nullptr || bounds_ == nullptr || arrived == nullptr) return false;
  fill_elements(problem.layer);
  if (problem.machine.memories[memory(0)].row > 0) {
    rows_ = arena.allocate<Int>(count_);
    swept_ = arena.allocate<Int>(count_);
    if (rows_ == nullptr || swept_ == nullptr) return false;
    fill_rows(problem);
  }

  std::array<LatticeNode, dim_count> node{};
  for (std::size_t i = 0; i < count_; ++i) {
    const auto index = static_cast<ContentIndex>(i);
    Bounds* here = bounds_ + i * row;
    std::fill_n(here, row, unreachable());
    if (i == 0) here[row - 1] = nothing_left();
    Int relevant = 1;
    for (std::size_t d = 0; d < dim_count; ++d) {
      const FactorLattice& lattice = lattices_[d];
      relevant *= lattice.remaining(node[d]);
      for (std::size_t k = 0; k < lattice.factor_count(); ++k) {
        const LatticeNode stride = lattice.stride(k);
        if (node[d] < stride || !lattice.can_multiply(static_cast<LatticeNode>(node[d] - stride), k))
          continue;
        const Bounds* next = arrived + (i - std::size_t{stride} * strides_[d]) * row;
        for (std::size_t c = 0; c < row; ++c) improve(here[c], next[c]);
      }
    }
    if (rows_ != nullptr) raise_to_sweeps(problem, index, relevant, here[0]);
    for (std::size_t c = 0; c < row; ++c) {
      Bounds& best = arrived[i * row + c] = here[c];
      for (std::size_t to = c + 1; to < row; ++to)
        if (here[to].energy[0] < infinite && may_jump(c, to) && fits(problem, index, c, to))
          improve(best, jump(problem, index, c, to, relevant, here[to]));
    }
    for (std::size_t d = 0; d < dim_count; ++d) {
      if (node[d] != lattices_[d].last()) {
        ++node[d];
        break;
      }
      node[d] = 0;
    }
  }
  start_ = arrived[(count_ - 1) * row];  // in the first step an operand may jump without a loop
  return true;
}

void TransferTable::improve(Bounds& best, const Bounds& other) {
  for (std::size_t k = 0; k < 3; ++k) {
    best.energy[k] = std::min(best.energy[k], other.energy[k]);
    best.energy_rows[k] = std::min(best.energy_rows[k], other.energy_rows[k]);
  }
  for (std::size_t k = 0; k < 2; ++k) {
    best.busiest[k] = std::min(best.busiest[k], other.busiest[k]);
    best.leaving[k] = std::min(best.leaving[k], other.leaving[k]);
    best.leaving_rows[k] = std::min(best.leaving_rows[k], other.leaving_rows[k]);
  }
}

void TransferTable::raise_to_sweeps(const Problem& problem, ContentIndex index, Int relevant,
                                    Bounds& staying) const {
  const Memory& dram = problem.machine.memories[memory(0)];
  const double opened = static_cast<double>(relevant) * static_cast<double>(swept_rows(index));
  const double opening = opened * static_cast<double>(dram.activation_cycles);
  const double energy = opened * static_cast<double>(setup_.lanes_above[0]) * dram.activation_energy;
  for (std::size_t k = 0; k < 3; ++k)
    staying.energy_rows[k] = std::max(staying.energy_rows[k], staying.energy[k] + energy);
  for (std::size_t k = 0; k < 2; ++k) {
    staying.leaving_rows[k] = std::max(staying.leaving_rows[k], staying.leaving[k] + opening);
    staying.busiest[k] = std::max(staying.busiest[k], staying.leaving_rows[k]);
  }
}

void TransferTable::fill_elements(const LayerShape& layer) {
  std::array<LatticeNode, dim_count> node{};
  for (std::size_t i = 0; i < count_; ++i) {
    for (std::size_t c = 0; c < setup_.chain.size(); ++c) {
      Extents extents = setup_.below[c];
      for (std::size_t d = 0; d < dim_count; ++d) extents[d] *= lattices_[d].value(node[d]);
      elements_[i * setup_.chain.size() + c] = nestor::elements(layer, setup_.operand, extents);
    }
    for (std::size_t d = 0; d < dim_count; ++d) {
      if (node[d] != lattices_[d].last()) {
        ++node[d];
        break;
      }
      node[d] = 0;
    }
  }
}

// Rows hold the more elements the narrower these are.
void TransferTable::fill_rows(const Problem& problem) {
  const Memory& dram = problem.machine.memories[memory(0)];
  const BitWidths& bits = problem.layer.bits;
  const bool output = setup_.operand == Operand::O;
  const Int width = output ? std::min(bits.output, bits.partial_sum) : bits.of(setup_.operand);
  Extents whole = setup_.below[0];
  for (std::size_t d = 0; d < dim_count; ++d) whole[d] *= lattices_[d].value(lattices_[d].last());
  RowWalk walk{.operand = setup_.operand,
               .size = tile_box(problem.layer, setup_.operand, whole),
               .tile = {},
               .loops = {},
               .row_elements = dram.row / width,
               .banks = dram.banks};
  std::array<LatticeNode, dim_count> node{};
  for (std::size_t i = 0; i < count_; ++i) {
    Extents extents = setup_.below[0];
    for (std::size_t d = 0; d < dim_count; ++d) extents[d] *= lattices_[d].value(node[d]);
    walk.tile = tile_box(problem.layer, setup_.operand, extents);
    rows_[i] = pass_floor(walk, problem.layouts);
    Coordinates steps{};
    walk.tile = read_places(problem.layer, setup_.operand, extents, steps);
    swept_[i] = sweep_floor(walk, problem.layouts, steps);
    for (std::size_t d = 0; d < dim_count; ++d) {
      if (node[d] != lattices_[d].last()) {
        ++node[d];
        break;
      }
      node[d] = 0;
    }
  }
}

// Alone, and at the narrowest width that it may have there.
bool TransferTable::fits(const Problem& problem, ContentIndex index, std::size_t from, std::size_t to) const {
  const BitWidths& bits = problem.layer.bits;
  for (std::size_t c = stops_ ? from + 1 : to; c <= to; ++c) {
    const bool sums = setup_.operand == Operand::O && (c == innermost() || setup_.reduced_above[c]);
    const Int width = sums                           ? bits.partial_sum
                      : setup_.operand == Operand::O ? std::min(bits.output, bits.partial_sum)
                                                     : bits.of(setup_.operand);
    if (elements(index, c) * width > problem.machine.memories[memory(c)].capacity) return false;
  }
  return true;
}

// The jump's own transfers, and what is left to pay after it.
TransferTable::Bounds TransferTable::jump(const Problem& problem, ContentIndex index, std::size_t from,
                                          std::size_t to, Int relevant, const Bounds& later) const {
  Bounds sum = later;
  sum.leaving = sum.leaving_rows = {0, 0};
  for (std::size_t c = from; c < to; c = stops_ ? c + 1 : to)
    add_transfer(problem, index, c, stops_ ? c + 1 : to, relevant, sum, c == from);
  return sum;
}

void TransferTable::add_transfer(const Problem& problem, ContentIndex index, std::size_t from, std::size_t to,
                                 Int relevant, Bounds& sum, bool first) const {
  const Memory& source = problem.machine.memories[memory(from)];
  const Memory& target = problem.machine.memories[memory(to)];
  const BitWidths& bits = problem.layer.bits;
  const bool output = setup_.operand == Operand::O;
  const auto times = static_cast<double>(relevant);
  const auto unique = static_cast<double>(elements(index, from));
  const auto lanes = static_cast<double>(setup_.lanes_above[from]);
  const auto copies = static_cast<double>(elements(index, to) * setup_.lanes_above[to]);
  const auto energy = [&](double in, double out, Int width) {
    const auto moved = static_cast<double>(width);
    const auto copied = static_cast<double>(output && setup_.reduced_above[to] ? bits.partial_sum : width);
    return unique * lanes * moved * (in * source.read_energy + out * source.write_energy) +
           copies * copied * (in * target.write_energy + out * target.read_energy);
  };
  std::array<double, 3> cost{};
  std::array<double, 2> cycles{};
  if (output) {
    const double final_bits = times * unique * static_cast<double>(bits.output);
    const double open_bits = times * unique * static_cast<double>(bits.partial_sum);
    cost = {energy(0, times, bits.output), energy(0, times, bits.partial_sum),
            energy(times, times, bits.partial_sum)};
    // n > 1 repeats write n times and read n - 1 >= n / 2 times.
    cycles = {port_time(source, 0, final_bits), port_time(source, open_bits / 2, open_bits)};
    // Without repeats yet, some may still come outside.
    cost[0] = std::min(cost[0], cost[1]);
    cycles[0] = std::min(cycles[0], 2 * cycles[1]);
  } else {
    const Int width = bits.of(setup_.operand);
    cost.fill(energy(times, 0, width));
    cycles.fill(port_time(source, times * unique * static_cast<double>(width), 0));
  }
  // n > 1 repeats pass 2 n - 1 >= 3 n / 2 times through a tile of partial sums, else once.
  const double opened = from == 0 ? times * static_cast<double>(rows(index)) : 0;
  const auto passing = [&](std::size_t k) { return output && k > 0 ? 1.5 * opened : opened; };
  for (std::size_t k = 0; k < 3; ++k) {
    sum.energy[k] += cost[k];
    sum.energy_rows[k] += cost[k] + passing(k) * lanes * source.activation_energy;
  }
  for (std::size_t k = 0; k < 2; ++k) {
    const double both = cycles[k] + passing(k) * static_cast<double>(source.activation_cycles);
    sum.busiest[k] = std::max(sum.busiest[k], both);
    if (first) sum.leaving[k] = cycles[k];
    if (first) sum.leaving_rows[k] = both;
  }
}

double TransferTable::energy(ContentIndex index, std::size_t position, Int repeats) const {
  return repeated(bounds(index, position).energy, repeats);
}

double TransferTable::energy_rows(ContentIndex index, std::size_t position, Int repeats) const {
  return repeated(bounds(index, position).energy_rows, repeats);
}

double TransferTable::repeated(const std::array<double, 3>& cost, Int repeats) const {
  if (repeats == 1) return cost[0];
  if (setup_.operand != Operand::O) return cost[0] * static_cast<double>(repeats);
  return cost[1] + static_cast<double>(repeats - 1) * cost[2];
}

double TransferTable::busiest(ContentIndex index, std::size_t position, Int repeats) const {
  return scaled(bounds(index, position).busiest, repeats);
}

double TransferTable::leaving(ContentIndex index, std::size_t position, Int repeats) const {
  return scaled(bounds(index, position).leaving, repeats);
}

double TransferTable::leaving_rows(ContentIndex index, std::size_t position, Int repeats) const {
  return scaled(bounds(index, position).leaving_rows, repeats);
}

OperandSetup make_setup(const Problem& problem, const Lattices& lattices, const SpatialChoice& choice,
                        Operand operand) {
  return nestor::make_setup(problem, problem.machine, lattices, choice, operand, true);
}

}  // namespace nestor::pim

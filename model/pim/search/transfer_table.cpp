#include "model/pim/search/transfer_table.h"

#include <algorithm>

#include "model/pim/rows/activation_floor.h"

namespace nestor::pim {
namespace {

// Returns the unrounded cycles in which a port moves these bits in both directions.
double port_time(const Memory& memory, double in, double out) {
  const PortRates rates = port_rates(memory);
  return in / static_cast<double>(rates.read) + out / static_cast<double>(rates.write);
}

}  // namespace

// Cost policy (InwardCost) of an operand's inward transfers.
class TransferTable::Transfers {
 public:
  Transfers(const PimProblem& problem, const TransferTable& table, Bounds* arrived)
      : problem_(problem), table_(table), row_(table.chain_length()), all_arrived_(arrived) {}

  void begin(TableIndex index) {
    index_ = index;
    staying_ = table_.bounds_ + index * row_;
    std::fill_n(staying_, row_, unreachable());
    if (index == 0) staying_[row_ - 1] = nothing_left();
  }
  void take_least(TableIndex smaller) {
    const Bounds* next = all_arrived_ + smaller * row_;
    for (std::size_t c = 0; c < row_; ++c) improve(staying_[c], next[c]);
  }
  void stay(Int relevant) {
    relevant_ = relevant;
    if (table_.rows_ != nullptr) table_.raise_to_sweeps(problem_, index_, relevant, staying_[0]);
    arrived_ = all_arrived_ + index_ * row_;
    std::copy_n(staying_, row_, arrived_);
  }
  bool goes_on(std::size_t to) const { return staying_[to].energy[0] < infinite; }
  void jump(std::size_t from, std::size_t to) {
    if (!table_.fits(problem_, index_, from, to)) return;
    improve(arrived_[from], table_.jump(problem_, index_, from, to, relevant_, staying_[to]));
  }

 private:
  const PimProblem& problem_;
  const TransferTable& table_;
  std::size_t row_;      // number of bounds per content
  Bounds* all_arrived_;  // bounds just after a loop is placed, when the operand may jump
  TableIndex index_ = 0;
  Int relevant_ = 1;
  Bounds* staying_ = nullptr;  // row of the current content
  Bounds* arrived_ = nullptr;
};

std::size_t TransferTable::bytes_needed(const OperandSetup& setup) {
  return ContentTable::bytes_needed(setup) +
         count_of(setup) * (setup.chain.size() * (sizeof(Int) + sizeof(Bounds)) + 2 * sizeof(Int)) + 64;
}

bool TransferTable::build(const PimProblem& problem, const OperandSetup& setup, Arena& arena,
                          Arena& scratch) {
  if (!ContentTable::build(problem, setup, arena)) return false;
  stops_ = problem.table.has_value();
  const std::size_t size = count() * chain_length();
  elements_ = arena.allocate<Int>(size);
  bounds_ = arena.allocate<Bounds>(size);
  Bounds* arrived = scratch.allocate<Bounds>(size);
  if (elements_ == nullptr || bounds_ == nullptr || arrived == nullptr) return false;
  fill_elements(problem.layer);
  if (problem.machine.memories[memory(0)].row > 0 && problem.machine.row_model == RowModel::exact) {
    rows_ = arena.allocate<Int>(count());
    swept_ = arena.allocate<Int>(count());
    if (rows_ == nullptr || swept_ == nullptr) return false;
    fill_rows(problem);
  }
  Transfers cost(problem, *this, arrived);
  fill_inward(*this, cost);
  start_ = arrived[(count() - 1) * chain_length()];  // in the first step, an operand may jump without a loop
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

void TransferTable::raise_to_sweeps(const PimProblem& problem, TableIndex index, Int relevant,
                                    Bounds& staying) const {
  const Memory& dram = problem.machine.memories[memory(0)];
  const double opened = static_cast<double>(relevant) * static_cast<double>(swept_rows(index));
  const double opening = opened * static_cast<double>(dram.activation_cycles);
  const double energy = opened * static_cast<double>(setup().lanes_above[0]) * dram.activation_energy;
  for (std::size_t k = 0; k < 3; ++k)
    staying.energy_rows[k] = std::max(staying.energy_rows[k], staying.energy[k] + energy);
  for (std::size_t k = 0; k < 2; ++k) {
    staying.leaving_rows[k] = std::max(staying.leaving_rows[k], staying.leaving[k] + opening);
    staying.busiest[k] = std::max(staying.busiest[k], staying.leaving_rows[k]);
  }
}

void TransferTable::fill_elements(const LayerShape& layer) {
  std::array<LatticeNode, dim_count> node{};
  for (std::size_t i = 0; i < count(); ++i, step_up(lattices(), node))
    for (std::size_t c = 0; c < chain_length(); ++c)
      elements_[i * chain_length() + c] = nestor::elements(layer, operand(), extents(node, c));
}

// The narrower the elements, the more of them fit a row. However, sums may open fewer rows at their larger
// width, if tiles start at row boundaries only at that width. The width is not known yet, so the minimum is
// used.
void TransferTable::fill_rows(const PimProblem& problem) {
  const Memory& dram = problem.machine.memories[memory(0)];
  const BitWidths& bits = problem.layer.bits;
  const bool output = operand() == Operand::O;
  const Int width = bits.of(operand());
  std::array<LatticeNode, dim_count> node{};
  for (std::size_t d = 0; d < dim_count; ++d) node[d] = lattice(d).last();
  const Extents whole = extents(node, 0);
  RowWalk walk{.operand = operand(),
               .planes = has_planes(problem.layer, operand()),
               .size = tile_box(problem.layer, operand(), whole),
               .tile = {},
               .loops = {},
               .row_elements = dram.row / width,
               .banks = dram.banks};
  node = {};
  for (std::size_t i = 0; i < count(); ++i, step_up(lattices(), node)) {
    const Extents held = extents(node, 0);
    Coordinates steps{};
    const Coordinates places = read_places(problem.layer, operand(), held, steps);
    const auto lower_to = [&](Int bits_wide, Int& rows, Int& swept) {
      walk.row_elements = dram.row / bits_wide;
      walk.tile = tile_box(problem.layer, operand(), held);
      rows = std::min(rows, pass_floor(walk, problem.layouts));
      walk.tile = places;
      swept = std::min(swept, sweep_floor(walk, problem.layouts, steps));
    };
    rows_[i] = swept_[i] = std::numeric_limits<Int>::max();
    lower_to(width, rows_[i], swept_[i]);
    if (output && bits.partial_sum != width) lower_to(bits.partial_sum, rows_[i], swept_[i]);
  }
}

// True if a content alone fits every memory at which the jump stops, at the least width that it may have
// there.
bool TransferTable::fits(const PimProblem& problem, TableIndex index, std::size_t from,
                         std::size_t to) const {
  const BitWidths& bits = problem.layer.bits;
  for (std::size_t c = stops_ ? from + 1 : to; c <= to; ++c) {
    const bool sums = operand() == Operand::O && (c == innermost() || reduced_above(c));
    const Int width = sums ? bits.partial_sum : bits.narrowest(operand());
    if (elements(index, c) * width > problem.machine.memories[memory(c)].capacity) return false;
  }
  return true;
}

// Returns the costs of the jump's transfers plus the remaining costs after the jump.
TransferTable::Bounds TransferTable::jump(const PimProblem& problem, TableIndex index, std::size_t from,
                                          std::size_t to, Int relevant, const Bounds& later) const {
  Bounds sum = later;
  sum.leaving = sum.leaving_rows = {0, 0};
  for (std::size_t c = from; c < to; c = stops_ ? c + 1 : to)
    add_transfer(problem, index, c, stops_ ? c + 1 : to, relevant, sum, c == from);
  return sum;
}

void TransferTable::add_transfer(const PimProblem& problem, TableIndex index, std::size_t from,
                                 std::size_t to, Int relevant, Bounds& sum, bool first) const {
  const Memory& source = problem.machine.memories[memory(from)];
  const Memory& target = problem.machine.memories[memory(to)];
  const BitWidths& bits = problem.layer.bits;
  const bool output = operand() == Operand::O;
  const auto times = static_cast<double>(relevant);
  const auto unique = static_cast<double>(elements(index, from));
  const auto lanes = static_cast<double>(setup().lanes_above[from]);
  const auto copies = static_cast<double>(elements(index, to) * setup().lanes_above[to]);
  const auto energy = [&](double in, double out, Int width) {
    const auto moved = static_cast<double>(width);
    const auto copied = static_cast<double>(output && reduced_above(to) ? bits.partial_sum : width);
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
    // If `repeats` is 1 so far, loops placed later may still add iterations outside this content.
    cost[0] = std::min(cost[0], cost[1]);
    cycles[0] = std::min(cycles[0], 2 * cycles[1]);
  } else {
    const Int width = bits.of(operand());
    cost.fill(energy(times, 0, width));
    cycles.fill(port_time(source, times * unique * static_cast<double>(width), 0));
  }
  // n > 1 repeats make 2 n - 1 >= 3 n / 2 passes through a tile of partial sums, and n passes through other
  // tiles.
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

double TransferTable::transfer_energy(const PimProblem& problem, TableIndex index, std::size_t from,
                                      std::size_t to, const Outside& outside) const {
  const Memory& source = problem.machine.memories[memory(from)];
  const Memory& target = problem.machine.memories[memory(to)];
  const BitWidths& bits = problem.layer.bits;
  const bool output = operand() == Operand::O;
  const Int width = bits.of(operand(), outside.irrelevant > 1);
  const Int copied = output && reduced_above(to) ? bits.partial_sum : width;
  const Int times = outside.relevant * outside.irrelevant;
  const auto inward = static_cast<double>(output ? times - outside.relevant : times);
  const double outward = output ? static_cast<double>(times) : 0.0;
  const auto unique = static_cast<double>(elements(index, from) * width * setup().lanes_above[from]);
  const auto copies = static_cast<double>(elements(index, to) * copied * setup().lanes_above[to]);
  return unique * (inward * source.read_energy + outward * source.write_energy) +
         copies * (inward * target.write_energy + outward * target.read_energy);
}

double TransferTable::energy(TableIndex index, std::size_t position, Int repeats) const {
  return repeated(bounds(index, position).energy, repeats);
}

double TransferTable::energy_rows(TableIndex index, std::size_t position, Int repeats) const {
  return repeated(bounds(index, position).energy_rows, repeats);
}

double TransferTable::repeated(const std::array<double, 3>& cost, Int repeats) const {
  if (repeats == 1) return cost[0];
  if (operand() != Operand::O) return cost[0] * static_cast<double>(repeats);
  return cost[1] + static_cast<double>(repeats - 1) * cost[2];
}

double TransferTable::busiest(TableIndex index, std::size_t position, Int repeats) const {
  return scaled(bounds(index, position).busiest, repeats);
}

double TransferTable::leaving(TableIndex index, std::size_t position, Int repeats) const {
  return scaled(bounds(index, position).leaving, repeats);
}

double TransferTable::leaving_rows(TableIndex index, std::size_t position, Int repeats) const {
  return scaled(bounds(index, position).leaving_rows, repeats);
}

OperandSetup make_setup(const PimProblem& problem, const Lattices& lattices, const SpatialChoice& choice,
                        Operand operand) {
  OperandSetup setup = nestor::make_setup(problem, problem.machine, lattices, choice, operand, true);
  const Int outside = setup.lanes_above[0];
  for (std::size_t c = 0; c < setup.chain.size(); ++c) setup.lanes_above[c] /= outside;
  return setup;
}

}  // namespace nestor::pim

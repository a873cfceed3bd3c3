#include "model/pim/search/joint_table.h"

#include <algorithm>
#include <bit>

namespace nestor::pim {
namespace {

constexpr std::size_t most_table_rows = 100'000;
constexpr std::size_t few_rows = 1000;
constexpr std::size_t rows_between_polls = 256;

void take_least(RestEnergy& best, const RestEnergy& other) {
  best.bits = std::min(best.bits, other.bits);
  best.total = std::min(best.total, other.total);
}

}  // namespace

struct JointTable::Step {
  std::array<TableIndex, operand_count> index{};
  std::array<Int, operand_count> relevant{};  // iterations of the operand's relevant loops outside
  Int outer = 1;                              // iterations of all loops outside
  std::array<std::array<std::array<RestEnergy, most_positions>, most_positions>, operand_count> jump{};
  std::array<double, operand_count> swept{};  // energy of opening the rows of all that is still in DRAM
  std::uint64_t alive = 0;                    // bit per code: true if its energy may be below the limit
  std::array<const RestEnergy*, most_codes> values{};  // per code that fits: values by sealed memory
};

bool JointTable::supports(const PimProblem& problem) {
  return problem.follows_energy() && problem.techniques.joint && !problem.table &&
         problem.machine.blocks == BlockRule::even && problem.machine.memories.size() <= most_memories;
}

bool JointTable::prepare(const PimProblem& problem, const Lattices& lattices, const Tables& tables,
                         const std::array<double, operand_count>& home_lanes) {
  problem_ = &problem;
  lattices_ = &lattices;
  home_lanes_ = home_lanes;
  memories_ = problem.machine.memories.size();
  row_count_ = 1;
  for (std::size_t d = 0; d < dim_count; ++d) {
    strides_[d] = row_count_;
    row_count_ *= lattices[d].size();
    if (row_count_ > most_table_rows) return false;
  }
  for (std::size_t x = 0; x < operand_count; ++x) {
    if (tables[x]->chain_length() > most_positions) return false;
    innermost_[x] = tables[x]->innermost();
    for (std::size_t c = 0; c <= innermost_[x]; ++c)
      memory_[x][c] = static_cast<std::uint8_t>(tables[x]->memory(c));
  }
  for (std::size_t c = 0; c < most_codes; ++c)
    at_[c] = {static_cast<std::uint8_t>(c / (most_positions * most_positions)),
              static_cast<std::uint8_t>(c / most_positions % most_positions),
              static_cast<std::uint8_t>(c % most_positions)};
  list_moves();
  return true;
}

// Lists for every code the codes that operands can reach after a loop that is relevant to two of them.
void JointTable::list_moves() {
  const auto exists = [&](const Positions& at) {
    return at[0] <= innermost_[0] && at[1] <= innermost_[1] && at[2] <= innermost_[2];
  };
  for (std::size_t still = 0; still < operand_count; ++still)
    for (std::size_t c = 0; c < most_codes; ++c) {
      const Positions& at = at_[c];
      if (!exists(at)) continue;
      Move& move = moves_[still][c];
      move = {};
      std::size_t most = 0;
      std::size_t last = 0;  // the innermost memory that an operand must still enter
      for (std::size_t x = 0; x < operand_count; ++x) {
        if (at[x] != 0) most = std::max<std::size_t>(most, memory_[x][at[x]]);
        if (at[x] != 0 && x != still)
          move.fewest_sealed = std::max<std::uint8_t>(move.fewest_sealed, memory_[x][at[x]]);
        if (at[x] != innermost_[x]) last = std::max<std::size_t>(last, memory_[x][innermost_[x]]);
      }
      move.end_sealed = static_cast<std::uint8_t>(at == innermost_ ? most + 1 : std::min(most + 1, last));
      for (std::size_t next = c; next < most_codes; ++next) {
        const Positions& to = at_[next];
        bool possible = exists(to) && to[still] == at[still];
        std::size_t outermost = memories_;  // the outermost memory that an operand enters
        for (std::size_t x = 0; x < operand_count; ++x) {
          possible = possible && to[x] >= at[x];
          if (possible && to[x] != at[x]) outermost = std::min<std::size_t>(outermost, memory_[x][to[x]]);
        }
        if (!possible) continue;
        for (std::size_t sealed = 0; sealed < memories_ && (sealed < outermost || next == c); ++sealed)
          move.reach[sealed] |= std::uint64_t{1} << next;
      }
    }
}

// Returns the codes in which all operands together fit every memory, with their current contents.
std::uint64_t JointTable::fitting(const Nodes& node, const Tables& tables) const {
  const BitWidths& bits = problem_->layer.bits;
  bool sums = false;
  for (std::size_t d = 0; d < dim_count; ++d)
    sums |= problem_->layer.is_reduction(static_cast<Dim>(d)) && node[d] != (*lattices_)[d].last();
  std::array<std::array<Int, most_positions>, operand_count> size{};
  for (std::size_t x = 0; x < operand_count; ++x) {
    const TransferTable& table = *tables[x];
    const auto operand = static_cast<Operand>(x);
    const TableIndex index = table.index(node);
    for (std::size_t c = 1; c <= innermost_[x]; ++c) {
      const bool open = operand == Operand::O && (sums || c == innermost_[x] || table.reduced_above(c));
      size[x][c] = table.elements(index, c) * (open ? bits.partial_sum : bits.narrowest(operand));
    }
  }
  // All operands in their homes always fit. Only memories with room for a single operand are combined.
  std::array<std::array<std::uint8_t, most_positions>, operand_count> possible{};
  std::array<std::size_t, operand_count> count{};
  for (std::size_t x = 0; x < operand_count; ++x)
    for (std::size_t c = 0; c <= innermost_[x]; ++c)
      if (c == 0 || size[x][c] <= problem_->machine.memories[memory_[x][c]].capacity)
        possible[x][count[x]++] = static_cast<std::uint8_t>(c);
  const auto fit = [&](std::size_t x, std::uint8_t a, std::size_t y, std::uint8_t b) {
    if (a == 0 || b == 0 || memory_[x][a] != memory_[y][b]) return true;
    return size[x][a] + size[y][b] <= problem_->machine.memories[memory_[x][a]].capacity;
  };
  std::uint64_t fitting = 0;
  for (std::size_t i = 0; i < count[0]; ++i)
    for (std::size_t w = 0; w < count[1]; ++w) {
      const std::uint8_t a = possible[0][i];
      const std::uint8_t b = possible[1][w];
      if (!fit(0, a, 1, b)) continue;
      for (std::size_t o = 0; o < count[2]; ++o) {
        const std::uint8_t c = possible[2][o];
        if (!fit(0, a, 2, c) || !fit(1, b, 2, c)) continue;
        const bool all =
            a != 0 && b != 0 && c != 0 && memory_[0][a] == memory_[1][b] && memory_[0][a] == memory_[2][c];
        if (all && size[0][a] + size[1][b] + size[2][c] > problem_->machine.memories[memory_[0][a]].capacity)
          continue;
        fitting |= std::uint64_t{1} << code({a, b, c});
      }
    }
  return fitting;
}

// Returns the energy of a jump (docs/models/pim.md, section 4) with all loops outside that are not in the
// content, and a lower bound on that of its rows.
RestEnergy JointTable::jump_energy(const Step& step, const Tables& tables, std::size_t x, std::size_t from,
                                   std::size_t to) const {
  const TransferTable& table = *tables[x];
  const Memory& source = problem_->machine.memories[memory_[x][from]];
  const TableIndex index = step.index[x];
  const Int outer = step.outer;
  const Outside outside{.relevant = step.relevant[x], .irrelevant = outer / step.relevant[x]};
  RestEnergy energy;
  energy.bits = table.transfer_energy(*problem_, index, from, to, outside);
  energy.total = energy.bits;
  if (from == 0 && source.activation_energy > 0) {
    const bool output = static_cast<Operand>(x) == Operand::O;
    const Int passes = output ? 2 * outer - outside.relevant : outer;
    const Int opened = std::max(passes * table.rows(index), outer * table.swept_rows(index));
    energy.total += static_cast<double>(opened) * source.activation_energy;
  }
  return {energy.bits * home_lanes_[x], energy.total * home_lanes_[x]};
}

void JointTable::prepare_step(const Nodes& node, const Tables& tables, Step& step) const {
  step.outer = 1;
  step.relevant.fill(1);
  for (std::size_t d = 0; d < dim_count; ++d) {
    const Int out = (*lattices_)[d].remaining(node[d]);
    step.outer *= out;
    for (std::size_t x = 0; x < operand_count; ++x)
      if (problem_->layer.is_relevant(static_cast<Dim>(d), static_cast<Operand>(x))) step.relevant[x] *= out;
  }
  for (std::size_t x = 0; x < operand_count; ++x) {
    const TransferTable& table = *tables[x];
    step.index[x] = table.index(node);
    step.swept[x] = static_cast<double>(step.outer * table.swept_rows(step.index[x])) * home_lanes_[x] *
                    problem_->machine.memories[memory_[x][0]].activation_energy;
    for (std::size_t to = 1; to <= innermost_[x]; ++to)
      for (std::size_t from = 0; from < to; ++from)
        step.jump[x][from][to] = table.may_jump(to, from) ? jump_energy(step, tables, x, from, to)
                                                          : RestEnergy{infinite, infinite};
  }
}

// Returns the least energy over the moves to the codes in `reach`.
RestEnergy JointTable::least(const Step& step, std::size_t code, std::size_t sealed,
                             std::uint64_t reach) const {
  const Positions& at = at_[code];
  RestEnergy best{infinite, infinite};
  for (; reach != 0; reach &= reach - 1) {
    const auto next = static_cast<std::size_t>(std::countr_zero(reach));
    const Positions& to = at_[next];
    RestEnergy sum = step.values[next][sealed];
    for (std::size_t x = 0; x < operand_count; ++x) {
      const RestEnergy& jump = step.jump[x][at[x]][to[x]];
      sum.bits += jump.bits;
      sum.total += jump.total;
    }
    best.bits = std::min(best.bits, sum.bits);
    best.total = std::min(best.total, sum.total);
  }
  return best;
}

// Passes the least energies of a combination on to those before the last loop, which was relevant to all
// operands except `still`. Returns false if the memory does not suffice.
bool JointTable::pass_on(const Step& step, const Tables& tables, std::size_t row, const Nodes& node,
                         std::size_t still) {
  struct Before {
    std::uint64_t fitting;
    RestEnergy* values;  // of the next code
  };
  std::array<Before, dim_count * max_distinct_factors> before;  // uninitialised, for speed
  std::size_t count = 0;
  std::uint64_t codes = 0;
  for (std::size_t d = 0; d < dim_count; ++d) {
    const FactorLattice& lattice = (*lattices_)[d];
    if (node[d] == lattice.last() ||
        problem_->layer.is_relevant(static_cast<Dim>(d), static_cast<Operand>(still)))
      continue;
    for (std::size_t k = 0; k < lattice.factor_count(); ++k) {
      if (!lattice.can_multiply(node[d], k)) continue;
      Nodes outer = node;
      outer[d] = static_cast<LatticeNode>(outer[d] + lattice.stride(k));
      const Row* const found = find_row(row + lattice.stride(k) * strides_[d], outer, tables);
      if (found == nullptr) return false;
      before[count++] = {found->fitting, values_ + found->first};
      codes |= found->fitting;
    }
  }
  for (; codes != 0; codes &= codes - 1) {
    const auto code = static_cast<std::size_t>(std::countr_zero(codes));
    const Move& move = moves_[still][code];
    for (std::size_t sealed = move.fewest_sealed; sealed < move.end_sealed; ++sealed) {
      const std::uint64_t reach = move.reach[sealed] & step.alive;
      if (reach == 0) continue;
      const RestEnergy energy = least(step, code, sealed, reach);
      if (energy.total >= limit_) continue;
      const std::size_t first = sealed == move.fewest_sealed ? 0 : sealed;
      for (std::size_t b = 0; b < count; ++b)
        if (((before[b].fitting >> code) & 1U) != 0)
          for (std::size_t s = first; s <= sealed; ++s) take_least(before[b].values[s], energy);
    }
    for (std::size_t b = 0; b < count; ++b)
      if (((before[b].fitting >> code) & 1U) != 0) before[b].values += memories_;
  }
  return true;
}

// Returns the row of a combination, with memory for its values, or null if the memory does not suffice.
JointTable::Row* JointTable::find_row(std::size_t row, const Nodes& node, const Tables& tables) {
  Row& found = rows_[row];
  if (found.fitting != 0) return &found;
  const std::uint64_t codes = fitting(node, tables);
  const std::size_t values = static_cast<std::size_t>(std::popcount(codes)) * memories_;
  if (used_ + values > value_count_) return nullptr;
  found = {codes, static_cast<std::uint32_t>(used_)};
  std::fill_n(values_ + used_, values, RestEnergy{infinite, infinite});
  used_ += values;
  return &found;
}

JointTable::Fill JointTable::fill(const Tables& tables, double limit, const TableWork& moves, Arena& arena,
                                  std::span<double> starts) {
  moves_done_ = 0;
  std::uint64_t moves_per_row = 1;
  for (const std::uint64_t innermost : innermost_) moves_per_row *= (innermost + 1) * (innermost + 2) / 2;
  // Most tables of this size need more work than that.
  if (moves.worth / moves_per_row < std::min(row_count_, few_rows)) return Fill::too_much_work;
  const std::uint64_t most_moves = std::min(moves.worth, moves.most);
  limit_ = limit;
  start_ = {limit, limit};
  used_ = 0;
  rows_ = arena.allocate<Row>(row_count_);
  value_count_ = rows_ == nullptr ? 0 : (arena.available() - alignof(RestEnergy)) / sizeof(RestEnergy);
  values_ = arena.allocate<RestEnergy>(value_count_);
  if (values_ == nullptr) return Fill::arena_too_small;
  std::fill_n(rows_, row_count_, Row{});
  std::fill(starts.begin(), starts.end(), limit);
  Step step;
  Nodes node{};
  if (find_row(0, node, tables) == nullptr) return Fill::arena_too_small;
  for (std::size_t i = 0; i < row_count_; ++i, step_up(*lattices_, node)) {
    if (i % rows_between_polls == 0 && is_requested(moves.stop)) return Fill::too_much_work;
    if (rows_[i].fitting == 0) continue;
    RestEnergy* values = values_ + rows_[i].first;
    step.alive = 0;
    bool prepared = false;
    for (std::uint64_t left = rows_[i].fitting; left != 0; left &= left - 1, values += memories_) {
      const auto code = static_cast<std::size_t>(std::countr_zero(left));
      step.values[code] = values;
      if (at_[code] == innermost_) std::fill_n(values, memories_, RestEnergy{});
      if (values[0].bits >= limit) continue;
      if (!prepared) prepare_step(node, tables, step);
      prepared = true;
      double swept = 0;
      for (std::size_t x = 0; x < operand_count; ++x)
        if (at_[code][x] == 0) swept += step.swept[x];
      for (std::size_t sealed = 0; sealed < memories_; ++sealed)
        values[sealed].total = std::max(values[sealed].total, values[sealed].bits + swept);
      if (values[0].total < limit) step.alive |= std::uint64_t{1} << code;
    }
    if (step.alive == 0) continue;
    if (!starts.empty()) starts[i] = std::min(limit, least(step, 0, 0, step.alive).total);
    moves_done_ += moves_per_row;
    if (moves_done_ > most_moves) return Fill::too_much_work;
    for (std::size_t still = 0; still < operand_count; ++still)
      if (!pass_on(step, tables, i, node, still)) return Fill::arena_too_small;
  }
  if (rows_[row_count_ - 1].fitting != 0 && step.alive != 0)
    take_least(start_, least(step, 0, 0, step.alive));
  return Fill::done;
}

RestEnergy JointTable::rest(const Nodes& node, const Positions& at, std::size_t sealed) const {
  const Row& row = rows_[row_of(node)];
  if (((row.fitting >> code(at)) & 1U) == 0) return {limit_, limit_};
  RestEnergy rest{limit_, limit_};
  take_least(rest, values_[place(row, code(at), sealed)]);
  return rest;
}

}  // namespace nestor::pim

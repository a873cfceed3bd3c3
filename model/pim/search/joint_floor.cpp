#include "model/pim/search/joint_floor.h"

#include <algorithm>

namespace nestor::pim {
namespace {

bool sees(const LayerShape& layer, std::size_t d, std::size_t x) {
  return layer.is_relevant(static_cast<Dim>(d), static_cast<Operand>(x));
}

bool contains(unsigned set, std::size_t x) { return ((set >> x) & 1U) != 0; }

}  // namespace

// Contents of a larger memory are so many that working out the floor takes longer than what it spares.
bool JointFloor::applies(const PimProblem& problem, const OperandChains& chains) {
  if (problem.machine.blocks != BlockRule::even || problem.table || problem.for_checker) return false;
  constexpr Int most_elements = 512;
  for (const Operand operand : all_operands) {
    const auto& chain = chains[index_of(operand)];
    if (chain.size() > longest_chain) return false;
    for (std::size_t c = 1; c + 1 < chain.size(); ++c)
      if (problem.machine.memories[chain[c]].capacity / problem.layer.bits.narrowest(operand) > most_elements)
        return false;
  }
  return true;
}

JointFloor::JointFloor(const PimProblem& problem,
                       const std::array<const TransferTable*, operand_count>& tables,
                       const Lattices& lattices, const std::array<Int, operand_count>& whole_rows)
    : problem_(problem), tables_(tables), lattices_(lattices), whole_rows_(whole_rows) {
  for (std::size_t x = 0; x < operand_count; ++x) {
    for (std::size_t c = 1; c < tables[x]->chain_length(); ++c) position_[x][tables[x]->memory(c)] = c;
    costs_[x].assign(tables[x]->count() * tables[x]->chain_length() * sources, {});
  }
  add_levels();
}

void JointFloor::add_levels() {
  for (std::size_t d = 0; d < dim_count; ++d) {
    seen_by_[d] = 0;
    for (std::size_t x = 0; x < operand_count; ++x)
      if (sees(problem_.layer, d, x)) seen_by_[d] |= 1U << x;
  }
  for (std::size_t m = 0; m < problem_.machine.memories.size(); ++m)
    for (unsigned users = 1; users < 1U << operand_count; ++users) {
      Level level;
      level.memory = m;
      level.users = users;
      bool possible = true;
      for (std::size_t x = 0; x < operand_count; ++x) {
        if (((users >> x) & 1U) == 0) continue;
        possible &= position(x, m) != 0;
      }
      if (possible) levels_.push_back(level);
    }
}

// At least, as TransferTable has them fit alone.
Int JointFloor::bits(std::size_t x, TableIndex index, std::size_t position) const {
  const BitWidths& bits = problem_.layer.bits;
  const auto operand = static_cast<Operand>(x);
  const bool sums =
      operand == Operand::O && (position == tables_[x]->innermost() || tables_[x]->reduced_above(position));
  return tables_[x]->elements(index, position) * (sums ? bits.partial_sum : bits.narrowest(operand));
}

void JointFloor::list_contents(Level& level) {
  level.listed = true;
  Content content;
  descend(level, content, 0);
}

// Contents that fit, smallest first.
void JointFloor::descend(Level& level, Content& content, std::size_t d) {
  if (d == dim_count) {
    level.contents.push_back(content);
    complete(level.contents.back());
    return;
  }
  const FactorLattice& lattice = lattices_[d];
  const Int capacity = problem_.machine.memories[level.memory].capacity;
  for (std::size_t node = 0; node < lattice.size(); ++node) {
    content.node[d] = static_cast<LatticeNode>(node);
    Int taken = 0;
    for (std::size_t x = 0; x < operand_count; ++x)
      if (contains(level.users, x))
        taken += bits(x, tables_[x]->index(content.node), position(x, level.memory));
    if (taken <= capacity) descend(level, content, d + 1);
  }
  content.node[d] = 0;
}

void JointFloor::complete(Content& content) const {
  content.repeats = {1, 1, 1};
  for (std::size_t d = 0; d < dim_count; ++d) {
    const Int outside = lattices_[d].remaining(content.node[d]);
    for (std::size_t x = 0; x < operand_count; ++x)
      if (!contains(seen_by_[d], x)) content.repeats[x] *= outside;
  }
  for (std::size_t x = 0; x < operand_count; ++x) content.index[x] = tables_[x]->index(content.node);
}

const JointFloor::Cost& JointFloor::cost(std::size_t x, const Content& content, std::size_t from,
                                         std::size_t to) {
  Cost& cost = costs_[x][(content.index[x] * tables_[x]->chain_length() + to) * sources + from];
  if (cost.once < 0) {
    Int relevant = 1;
    for (std::size_t d = 0; d < dim_count; ++d)
      if (contains(seen_by_[d], x)) relevant *= lattices_[d].remaining(content.node[d]);
    cost = work_out(x, content.index[x], relevant, from, to);
  }
  return cost;
}

JointFloor::Cost JointFloor::work_out(std::size_t x, TableIndex index, Int relevant, std::size_t from,
                                      std::size_t to) const {
  const TransferTable& table = *tables_[x];
  const Memory& source = problem_.machine.memories[table.memory(from)];
  const Memory& target = problem_.machine.memories[table.memory(to)];
  const BitWidths& bits = problem_.layer.bits;
  const bool output = static_cast<Operand>(x) == Operand::O;
  const auto iterations = static_cast<double>(relevant);
  const auto unique = static_cast<double>(table.elements(index, from) * table.setup().lanes_above[from]);
  const auto copies = static_cast<double>(table.elements(index, to) * table.setup().lanes_above[to]);
  const auto wide = [&](Int width) { return static_cast<double>(width); };
  const auto copied = [&](Int width) {
    return wide(output && table.reduced_above(to) ? bits.partial_sum : width);
  };
  const auto inward = [&](Int width) {
    return iterations *
           (unique * wide(width) * source.read_energy + copies * copied(width) * target.write_energy);
  };
  const auto outward = [&](Int width) {
    return iterations *
           (unique * wide(width) * source.write_energy + copies * copied(width) * target.read_energy);
  };
  // A visit's rows, or those of an operand in DRAM that goes through a content at each iteration outside.
  std::array<double, 3> opened{};
  if (from == 0) {
    const auto rows = static_cast<double>(table.rows(index));
    const auto swept = static_cast<double>(table.swept_rows(index));
    const double whole = static_cast<double>(whole_rows_[x]) / iterations;
    opened = {std::max({rows, swept, whole}), std::max(rows, swept), std::max(rows, swept)};
    if (output && rows >= swept) opened[2] = 2 * rows;  // n visits with sums that return pass 2 n - 1 times
    const double each =
        iterations * static_cast<double>(table.setup().lanes_above[0]) * source.activation_energy;
    for (double& energy : opened) energy *= each;
  }
  if (!output) {
    const double once = inward(bits.of(static_cast<Operand>(x)));
    return {once + opened[0], {once + opened[0], once + opened[1], once + opened[2]}};
  }
  const double last = outward(bits.output);
  const double partial = outward(bits.partial_sum);
  const double least = std::min(last, partial);  // later loops outside may leave sums open
  return {last + opened[0],
          {least + opened[0], partial + opened[1], partial + inward(bits.partial_sum) + opened[2]}};
}

// What an operand still pays at least, if it were alone. One that did not move at the gap may have its next
// content as large as at the gap before.
double JointFloor::alone(const State& state, const Gap& gap, std::size_t x) const {
  const TransferTable& table = *tables_[x];
  const bool here = state.moved[x] == gaps_.size();
  const Gap& from = here ? gap : gaps_[state.moved[x]];
  const bool first = !here && !started_ && state.moved[x] == 0;
  return table.energy_rows(first ? TransferTable::unstarted : from.index[x], state.at[x], from.repeats[x]);
}

// How often loops outside repeat what an operand moves at a content at least, as those do that are outside
// the innermost gap since which it has seen a loop; false if it may not move.
bool JointFloor::find_repeats(const Content& content, const State& state, std::size_t x, Int& repeats) const {
  const auto has_seen = [&](std::size_t k) {
    if (content.index[x] != gaps_[k].index[x]) return true;
    return k > state.moved[x] && contains(gaps_[k].outside, x);
  };
  std::size_t g = gaps_.size();
  while (g > state.moved[x] && !has_seen(g - 1)) --g;
  repeats = g == 0 ? 1 : gaps_[g - 1].repeats[x];
  return g > state.moved[x] || (g == 0 && !started_);
}

void JointFloor::add_candidates(const Level& level, const State& state, std::vector<Candidate>& candidates) {
  const Gap& last = gaps_.back();
  Candidate next{.floor = 0, .state = state, .gap = {}};
  next.state.memory = level.memory;
  double others = state.energy;  // those that stay
  for (std::size_t x = 0; x < operand_count; ++x) {
    if (!contains(level.users, x)) {
      others += alone(next.state, next.gap, x);
      continue;
    }
    next.state.at[x] = static_cast<std::uint8_t>(position(x, level.memory));
    next.state.moved[x] = gaps_.size();
  }
  for (const Content& content : level.contents) {
    unsigned masks = 0;  // sets of operands that see a loop which may lie just outside
    bool inside = true;
    bool same = true;
    for (std::size_t d = 0; d < dim_count && inside; ++d) {
      if (content.node[d] == last.node[d]) continue;
      same = false;
      inside =
          content.node[d] < last.node[d] &&
          lattices_[d].fits_beside(content.node[d], static_cast<LatticeNode>(last.node[d] - content.node[d]));
      if ((seen_by_[d] & level.users) != 0) masks |= 1U << seen_by_[d];
    }
    if (!inside || (masks == 0 && !same)) continue;
    static_cast<Content&>(next.gap) = content;
    std::array<std::array<double, 2>, operand_count> costs{};
    double ahead = others;
    double least = 0;
    for (std::size_t x = 0; x < operand_count && inside; ++x) {
      if (!contains(level.users, x)) continue;
      Int repeats = 1;
      inside = find_repeats(content, state, x, repeats);
      if (!inside) break;
      const Cost& cost = this->cost(x, content, state.at[x], position(x, level.memory));
      costs[x][0] = cost.of(repeats);
      const Int all = content.repeats[x];
      costs[x][1] = std::max(costs[x][0], all == 1 ? cost.once : cost.of(all));
      least += costs[x][0];
      if (next.state.at[x] != tables_[x]->innermost()) ahead += alone(next.state, next.gap, x);
      inside = ahead + least < best_;
    }
    if (!inside) continue;
    for (unsigned mask = 0; mask < 1U << operand_count; ++mask) {
      if (same ? mask != 0 : ((masks >> mask) & 1U) == 0) continue;
      next.gap.outside = same ? last.outside : mask;
      double moved = 0;
      for (std::size_t x = 0; x < operand_count; ++x) moved += costs[x][(mask >> x) & 1U];
      next.state.energy = state.energy + moved;
      next.floor = ahead + moved;
      if (next.floor < best_) candidates.push_back(next);
    }
  }
}

void JointFloor::go_inward(const State& state) {
  bool done = true;
  for (std::size_t x = 0; x < operand_count; ++x) done &= state.at[x] == tables_[x]->innermost();
  if (done) {
    best_ = std::min(best_, state.energy);
    return;
  }
  std::vector<Candidate> candidates;
  for (Level& level : levels_) {
    if (level.memory <= state.memory && !(state.memory == 0)) continue;
    bool possible = true;
    for (std::size_t x = 0; x < operand_count; ++x) {
      const std::size_t c = position(x, level.memory);
      if (contains(level.users, x)) possible &= state.at[x] < c;
      // none is left behind
      const std::size_t last = tables_[x]->innermost();
      if (!contains(level.users, x) && state.at[x] != last)
        possible &= tables_[x]->memory(last) > level.memory;
    }
    if (!possible) continue;
    if (!level.listed) list_contents(level);
    add_candidates(level, state, candidates);
  }
  std::sort(candidates.begin(), candidates.end(),
            [](const Candidate& a, const Candidate& b) { return a.floor < b.floor; });
  for (const Candidate& candidate : candidates) {
    if (candidate.floor >= best_) break;
    gaps_.push_back(candidate.gap);
    go_inward(candidate.state);
    gaps_.pop_back();
  }
}

double JointFloor::all(double enough) {
  Gap gap;
  for (std::size_t d = 0; d < dim_count; ++d) gap.node[d] = lattices_[d].last();
  complete(gap);
  gaps_ = {gap};
  started_ = false;
  best_ = enough;
  go_inward({});
  return best_;
}

}  // namespace nestor::pim

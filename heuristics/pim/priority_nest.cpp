#include "heuristics/pim/priority_nest.h"

#include <algorithm>
#include <limits>
#include <span>

#include "heuristics/priority/priority.h"
#include "model/loopnest/rules/satisfies_constraints.h"
#include "model/loopnest/spatial_factors.h"
#include "model/pim/legality.h"
#include "solver/search/concepts.h"

namespace nestor::pim {
namespace {

constexpr std::uint64_t restarts = 16;
constexpr std::uint64_t patience = 48;

class LoopPlacement {
 public:
  /// A factor of a dimension, placed as a loop, and the memory that each operand uses at this loop. The
  /// factor is the fixed part.
  struct Choice {
    std::uint8_t dim = 0;
    std::uint8_t factor = 0;  ///< index among the dimension's factors that are not on axes
    std::array<std::uint8_t, operand_count> at{};
  };
  struct Priority {
    double cost = 0;   ///< objective with all transfers so far; lower is better
    double load = 0;   ///< cycles of the transfers caused now; lower is better
    double reuse = 0;  ///< bits of tiles that the loop reuses; more are better
    friend bool operator<(const Priority& a, const Priority& b) {
      if (a.cost != b.cost) return a.cost > b.cost;
      return a.load != b.load ? a.load > b.load : a.reuse < b.reuse;
    }
  };
  using Cost = double;

  LoopPlacement(const PimProblem& problem, const SpatialFactors& spatial, double enough, std::uint64_t nests)
      : problem_(problem), machine_(problem.machine), spatial_(spatial), enough_(enough), most_(nests) {
    for (std::size_t m = 0; m < machine_.memories.size(); ++m)
      below_[m] = extents_below(machine_, machine_.memories[m], spatial);
    const Extents left = temporal_bounds(problem.layer.bounds, spatial);
    for (std::size_t d = 0; d < dim_count; ++d) {
      factors_[d] = prime_factors(left[d]).factors;
      steps_ *= left[d];
      if (problem.layer.is_reduction(static_cast<Dim>(d))) reductions_ *= left[d];
    }
    reset();
  }

  bool spent() const { return begun_ >= most_ || best_cost_ <= enough_; }
  std::uint64_t nests() const { return begun_; }
  double best_cost() const { return best_cost_; }
  const PimMapping& best() const { return best_; }

  void reset() {
    ++begun_;
    left_ = 0;
    for (std::size_t d = 0; d < dim_count; ++d)
      for (std::size_t f = 0; f < factors_[d].size(); ++f) {
        count_[d][f] = factors_[d][f].count;
        left_ += count_[d][f];
      }
    state_ = {};
    state_.rest = steps_;
    state_.rest_reductions = reductions_;
    state_.level = machine_.memories.size() - 1;
    state_.latency = compute_cycles(machine_, steps_);
    for (const Operand operand : all_operands) {
      const auto x = index_of(operand);
      state_.at[x] = static_cast<std::uint8_t>(machine_.innermost(operand));
      state_.width[x] = problem_.layer.bits.widest(operand);
    }
    loops_.clear();
    refresh_sizes();
    if (complete()) finish();
  }

  bool complete() const { return left_ == 0; }
  Cost cost() const {
    return complete() ? cost_ : problem_.objective.combine(static_cast<double>(state_.latency), 0);
  }

  void apply(const Choice& choice) {
    const Int factor = factors_[choice.dim][choice.factor].value;
    charge(choice.at, state_);
    state_.level = level_after(choice.at);
    for (std::size_t x = 0; x < operand_count; ++x) {
      if (choice.at[x] != state_.at[x] && static_cast<Operand>(x) == Operand::O)
        state_.width[x] = problem_.layer.bits.of(Operand::O, state_.rest_reductions > 1);
      state_.at[x] = choice.at[x];
    }
    state_.inner[choice.dim] *= factor;
    state_.rest /= factor;
    if (problem_.layer.is_reduction(static_cast<Dim>(choice.dim))) state_.rest_reductions /= factor;
    --count_[choice.dim][choice.factor];
    --left_;
    loops_.push_back({static_cast<Dim>(choice.dim), factor, state_.at});
    refresh_sizes();
    if (complete()) finish();
  }

  template <typename Visit>
  void for_each_choice(Visit&& visit) const {
    bool any = false;
    const auto note = [&](const Choice& choice, const Priority& priority) {
      any = true;
      visit(choice, priority);
    };
    // Operands may fit separately but not together. Then an operand that could stay must move out.
    for (const bool free : {false, true})
      for (std::size_t d = 0; d < dim_count && !(any && free); ++d)
        for (std::size_t f = 0; f < factors_[d].size(); ++f)
          if (count_[d][f] > 0) each_placing(d, f, free, note);
  }

  template <typename Visit>
  void for_each_variant(const Choice& choice, Visit&& visit) const {
    if (count_[choice.dim][choice.factor] > 0) each_placing(choice.dim, choice.factor, true, visit);
  }

  // Exchanges two loops of different dimensions.
  std::size_t perturb(std::span<Choice> sequence, Random& random) const {
    if (sequence.size() < 2) return sequence.size();
    const auto first = static_cast<std::size_t>(random.below(sequence.size()));
    const auto other = static_cast<std::size_t>(random.below(sequence.size()));
    if (first == other || sequence[first].dim == sequence[other].dim) return sequence.size();
    std::swap(sequence[first], sequence[other]);
    return std::min(first, other);
  }

 private:
  using Places = std::array<std::uint8_t, operand_count>;
  using Targets = FixedVector<std::uint8_t, max_memories>;
  struct State {
    Extents inner = unit_extents;  // extents of the loops placed so far
    Int rest = 1;                  // iterations of the loops not yet placed
    Int rest_reductions = 1;
    std::size_t level = 0;  // for even blocks: later loops are at this level or further out
    Places at{};
    std::array<Int, operand_count> width{};  // bits of an element in its current memory
    // For each memory, the cycles of the busiest operand, or of all operands if they share a port.
    std::array<Int, max_memories> busy{};
    Int latency = 0;
    double energy = 0;
    double load = 0;
  };

  Int tile_bits(std::size_t x, std::size_t memory, const Extents& inner, Int width) const {
    return elements(problem_.layer, static_cast<Operand>(x), times(inner, below_[memory])) * width;
  }
  bool is_home(std::size_t x, std::size_t memory) const {
    return memory == machine_.home(static_cast<Operand>(x));
  }
  void refresh_sizes() {
    for (std::size_t x = 0; x < operand_count; ++x)
      if (!is_home(x, state_.at[x]))
        size_[state_.at[x]][x] = tile_bits(x, state_.at[x], state_.inner, state_.width[x]);
    for (std::size_t x = 0; x < operand_count; ++x)
      for (std::size_t m = 0; m < state_.at[x]; ++m) size_[m][x] = 0;
  }

  // Adds the transfers of operands that move outward: one transfer of each tile per iteration of the loops
  // not yet placed.
  void charge(const Places& to, State& state) const {
    for (std::size_t x = 0; x < operand_count; ++x) {
      if (to[x] == state.at[x]) continue;
      const auto operand = static_cast<Operand>(x);
      const Memory& source = machine_.memories[to[x]];
      const bool output = operand == Operand::O;
      const Int width = problem_.layer.bits.of(operand, state.rest_reductions > 1);
      const Int unique = tile_bits(x, to[x], state.inner, width);
      const Int in = output ? state.rest - state.rest / state.rest_reductions : state.rest;
      const Int out = output ? state.rest : 0;
      const Int cycles = port_cycles(source, in * unique, out * unique);
      Int& busy = state.busy[to[x]];
      busy = source.shared_port ? busy + cycles : std::max(busy, cycles);
      state.latency = std::max(state.latency, busy);
      // The estimate of rows affects only the order of choices.
      const auto moved = static_cast<double>((in + out) * unique);
      const double rows = source.row == 0 ? 0 : moved / static_cast<double>(source.row);
      state.load += static_cast<double>(cycles) + rows * static_cast<double>(source.activation_cycles);
      const Memory& target = machine_.memories[state.at[x]];
      state.energy += static_cast<double>(in * unique) * (source.read_energy + target.write_energy) +
                      static_cast<double>(out * unique) * (source.write_energy + target.read_energy) +
                      rows * source.activation_energy;
    }
  }

  // Returns the level of the next loop for even blocks. It is outside the memories that operands leave
  // because of this loop.
  std::size_t level_after(const Places& to) const {
    std::size_t level = state_.level;
    for (std::size_t x = 0; x < operand_count; ++x)
      if (to[x] != state_.at[x]) level = std::min(level, state_.at[x] - std::size_t{1});
    return level;
  }
  bool is_even(const Places& to, std::size_t dim) const {
    if (machine_.blocks == BlockRule::uneven) return true;
    const std::size_t level = level_after(to);
    for (std::size_t x = 0; x < operand_count; ++x)
      if (to[x] > level && problem_.layer.is_relevant(static_cast<Dim>(dim), static_cast<Operand>(x)))
        return false;
    return true;
  }

  bool fits(const Places& to, const Extents& grown) const {
    for (std::size_t x = 0; x < operand_count; ++x) {
      const std::size_t m = to[x];
      if (is_home(x, m)) continue;
      Int usage = 0;
      for (std::size_t y = 0; y < operand_count; ++y)
        usage += to[y] == m && !is_home(y, m) ? tile_bits(y, m, grown, width_in(y, to[y])) : size_[m][y];
      if (usage > machine_.memories[m].capacity) return false;
    }
    return true;
  }
  Int width_in(std::size_t x, std::size_t memory) const {
    if (memory == state_.at[x]) return state_.width[x];
    return problem_.layer.bits.of(static_cast<Operand>(x), state_.rest_reductions > 1);
  }

  // Returns the memories for an operand's next loop. An operand that must move may use every memory further
  // out; if `free`, so may other operands.
  Targets targets(std::size_t x, std::size_t dim, const Extents& grown, bool free) const {
    Targets list;
    const std::size_t here = state_.at[x];
    const auto operand = static_cast<Operand>(x);
    list.push_back(static_cast<std::uint8_t>(here));
    if (!problem_.layer.is_relevant(static_cast<Dim>(dim), operand) || is_home(x, here)) return list;
    const auto alone = [&](std::size_t m) {
      return is_home(x, m) || tile_bits(x, m, grown, width_in(x, m)) <= machine_.memories[m].capacity;
    };
    const bool inside = machine_.blocks == BlockRule::even && here > state_.level;
    const bool stays = !inside && alone(here);
    if (!stays) list.clear();
    if (stays && !free) return list;
    for (std::size_t m = here; m-- > machine_.home(operand);) {
      const bool offered = machine_.memories[m].operands.contains(operand) &&
                           !problem_.constraints.must_not_use[m].contains(operand);
      if (is_home(x, m) || (offered && alone(m))) list.push_back(static_cast<std::uint8_t>(m));
    }
    return list;
  }

  template <typename Visit>
  void each_placing(std::size_t dim, std::size_t factor, bool free, Visit& visit) const {
    Extents grown = state_.inner;
    const Int value = factors_[dim][factor].value;
    grown[dim] *= value;
    std::array<Targets, operand_count> list;
    for (std::size_t x = 0; x < operand_count; ++x) list[x] = targets(x, dim, grown, free);
    for (const std::uint8_t i : list[0])
      for (const std::uint8_t w : list[1])
        for (const std::uint8_t o : list[2]) {
          const Choice choice{static_cast<std::uint8_t>(dim), static_cast<std::uint8_t>(factor), {i, w, o}};
          if (is_even(choice.at, dim) && fits(choice.at, grown)) visit(choice, priority_of(choice, value));
        }
  }

  Priority priority_of(const Choice& choice, Int factor) const {
    State after = state_;
    after.load = 0;
    charge(choice.at, after);
    Priority priority{.cost = problem_.objective.combine(static_cast<double>(after.latency), after.energy),
                      .load = after.load};
    for (std::size_t x = 0; x < operand_count; ++x)
      if (!problem_.layer.is_relevant(static_cast<Dim>(choice.dim), static_cast<Operand>(x)))
        priority.reuse += static_cast<double>(tile_bits(x, state_.at[x], state_.inner, state_.width[x])) *
                          static_cast<double>(factor - 1) / static_cast<double>(factor);
    return priority;
  }

  // Computes the exact cost of the loop nest.
  void finish() {
    PimMapping mapping;
    mapping.nest.spatial = spatial_;
    for (std::size_t i = loops_.size(); i-- > 0;) mapping.nest.loops.push_back(loops_[i]);
    if (problem_.table) mapping.stored = stored_pairs(problem_);
    normalise(mapping, problem_.layer, machine_);
    cost_ = no_cost;
    if (find_violation(problem_.layer, machine_, mapping) ||
        !satisfies_constraints(problem_.constraints, problem_.layer, machine_, mapping.nest))
      return;
    choose_layouts(problem_, mapping, rows_);
    cost_ = objective_value(problem_.objective, evaluate(problem_.layer, machine_, mapping, rows_));
    if (cost_ >= best_cost_) return;
    best_cost_ = cost_;
    best_ = mapping;
  }

  const PimProblem& problem_;
  const PimMachine& machine_;
  const SpatialFactors& spatial_;
  double enough_;
  std::uint64_t most_;
  std::array<Extents, max_memories> below_{};  // for each memory, factors on the axes below it
  std::array<decltype(FactorSet::factors), dim_count> factors_{};
  Int steps_ = 1;
  Int reductions_ = 1;

  std::array<std::array<int, max_distinct_factors>, dim_count> count_{};  // remaining factors
  int left_ = 0;
  State state_;
  std::array<std::array<Int, operand_count>, max_memories> size_{};
  FixedVector<Loop, max_loops> loops_;  // innermost first
  double cost_ = 0;

  RowCounter rows_;
  PimMapping best_;
  double best_cost_ = no_cost;
  std::uint64_t begun_ = 0;  // number of loop nests started
};

}  // namespace

std::optional<PriorityNest> priority_nest(const PimProblem& problem, const SpatialFactors& spatial,
                                          double enough, std::uint64_t nests, std::uint64_t seed) {
  LoopPlacement placement(problem, spatial, enough, nests);
  std::array<LoopPlacement::Choice, max_loops> work{};
  std::array<LoopPlacement::Choice, max_loops> best{};
  priority::PrioritySearch<LoopPlacement> search(placement, work, best, seed);
  const auto spent = [&] { return placement.spent(); };
  search.restart(restarts, spent);
  search.improve(patience, spent);
  if (placement.best_cost() == no_cost) return std::nullopt;
  return PriorityNest{.mapping = placement.best(), .cost = placement.best_cost(), .nests = placement.nests()};
}

}  // namespace nestor::pim

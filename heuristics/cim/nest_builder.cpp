#include "heuristics/cim/nest_builder.h"

#include <algorithm>

#include "model/loopnest/canonical.h"
#include "model/loopnest/rules/legality.h"
#include "model/loopnest/rules/satisfies_constraints.h"
#include "model/loopnest/spatial_factors.h"
#include "model/loopnest/tiles.h"

namespace nestor::cim {
NestBuilder::NestBuilder(const CimProblem& problem) : problem_(problem) {
  // Transfers are weighted by the quantities in the objective. For EDP, cycles and energy are each weighted
  // by the inverse of their least possible total.
  const auto& objective = problem.objective;
  cycle_weight_ = objective.kind == ObjectiveKind::energy ? 0 : 1;
  energy_weight_ = objective.needs_additive() && objective.additive_is_energy() ? 1 : 0;
  if (objective.kind == ObjectiveKind::edp) {
    const auto macs = product_of<double>(problem.layer.bounds);
    double lanes = 1;
    for (const Axis& axis : problem.machine.axes) lanes *= static_cast<double>(axis.size);
    cycle_weight_ = lanes / (macs * static_cast<double>(problem.machine.mvm_cycles));
    energy_weight_ = problem.machine.mac_energy > 0 ? 1 / (macs * problem.machine.mac_energy) : cycle_weight_;
  }
  reset();
}

void NestBuilder::reset() {
  left_ = 0;
  for (std::size_t d = 0; d < dim_count; ++d) {
    const auto& factors = problem_.factors[d].factors;
    for (std::size_t f = 0; f < factors.size(); ++f) {
      count_[d][f] = factors[f].count;
      left_ += factors[f].count;
    }
  }
  sealed_ = false;
  spatial_.fill(unit_extents);
  axis_product_.fill(1);
  below_.fill(unit_extents);
  inner_ = unit_extents;
  rest_ = 1;
  rest_reduction_ = 1;
  loops_.clear();
  partial_ = true;
  for (const Operand operand : all_operands)
    at_[index_of(operand)] = static_cast<std::uint8_t>(problem_.machine.innermost(operand));
  possible_ = place_fixed_factors();
  refresh_sizes();
}

// Places the spatial factors that the user fixed, and removes them from the available factors. Returns false
// if these do not suffice.
bool NestBuilder::place_fixed_factors() {
  for (std::size_t axis = 0; axis < problem_.machine.axes.size(); ++axis)
    for (std::size_t d = 0; d < dim_count; ++d) {
      Int wanted = problem_.constraints.axis_factors[axis][d];
      if (wanted <= 1) continue;
      const auto& factors = problem_.factors[d].factors;
      for (std::size_t f = factors.size(); f-- > 0;)
        while (wanted % factors[f].value == 0 && count_[d][f] > 0) {
          wanted /= factors[f].value;
          --count_[d][f];
          --left_;
          spread(axis, d, factors[f].value);
        }
      if (wanted != 1) return false;
    }
  return true;
}

void NestBuilder::spread(std::size_t axis, std::size_t dim, Int factor) {
  spatial_[axis][dim] *= factor;
  axis_product_[axis] *= factor;
  for (std::size_t m = 0; m < problem_.machine.memories.size(); ++m)
    if (axis >= problem_.machine.memories[m].axes_above) below_[m][dim] *= factor;
}

bool NestBuilder::may_spread(std::size_t axis, std::size_t dim, Int factor) const {
  const Axis& place = problem_.machine.axes[axis];
  const auto d = static_cast<Dim>(dim);
  return place.dims.contains(d) && problem_.constraints.axis_dims[axis].contains(d) &&
         problem_.constraints.axis_factors[axis][dim] == 0 && factor <= place.size / axis_product_[axis];
}

// Returns the bits of an operand's tile in a memory. Assumes that tiles of O contain partial sums wherever
// this is possible.
Int NestBuilder::tile_bits(std::size_t memory, Operand operand, const Extents& inner,
                           const Extents& below) const {
  const auto& bits = problem_.layer.bits;
  Int width = bits.of(operand);
  if (operand == Operand::O) {
    const bool partial = partial_ || memory == problem_.machine.innermost(operand) ||
                         is_reduced_above(problem_.layer, problem_.machine.memories[memory], spatial_);
    if (partial) width = bits.widest(operand);
  }
  return elements(problem_.layer, operand, times(inner, below)) * width;
}

// Returns the largest product, up to `room`, of remaining factors that the axis accepts, without one
// occurrence of (dim, factor). Ignores capacities.
Int NestBuilder::fullest(std::size_t axis, std::size_t dim, std::size_t factor, Int room) const {
  constexpr std::size_t most = 4096;  // axes are rarely longer; larger products are not considered
  std::array<bool, most + 1> reached{};
  const auto limit = static_cast<std::size_t>(std::min<Int>(room, most));
  reached[1] = true;
  for (std::size_t d = 0; d < dim_count; ++d) {
    if (!problem_.machine.axes[axis].dims.contains(static_cast<Dim>(d))) continue;
    for (std::size_t f = 0; f < problem_.factors[d].factors.size(); ++f) {
      const auto value = static_cast<std::size_t>(problem_.factors[d].factors[f].value);
      const int available = count_[d][f] - static_cast<int>(d == dim && f == factor);
      for (int i = 0; i < available && value <= limit; ++i)
        for (std::size_t product = limit / value; product > 0; --product)
          reached[product * value] |= reached[product];
    }
  }
  std::size_t best = limit;
  while (best > 1 && !reached[best]) --best;
  return static_cast<Int>(best);
}

// True if all tiles fit with one more factor on an axis. While spatial factors are placed, every operand is
// still in its innermost memory.
bool NestBuilder::fits_spatially(std::size_t axis, std::size_t dim, Int factor) const {
  std::array<Int, max_memories> usage{};
  for (const Operand operand : all_operands) {
    const std::size_t m = at_[index_of(operand)];
    Extents below = below_[m];
    if (axis >= problem_.machine.memories[m].axes_above) below[dim] *= factor;
    usage[m] += tile_bits(m, operand, inner_, below);
    if (usage[m] > problem_.machine.memories[m].capacity && m != problem_.machine.home(operand)) return false;
  }
  return true;
}

void NestBuilder::refresh_sizes() {
  for (auto& sizes : size_) sizes.fill(0);
  for (const Operand operand : all_operands) {
    const std::size_t m = at_[index_of(operand)];
    if (m != problem_.machine.home(operand))
      size_[m][index_of(operand)] = tile_bits(m, operand, inner_, below_[m]);
  }
}

std::size_t NestBuilder::targets(std::size_t operand, std::size_t dim, Int factor, bool free,
                                 std::array<std::uint8_t, max_memories>& list) const {
  const auto x = static_cast<Operand>(operand);
  const std::size_t home = problem_.machine.home(x);
  std::size_t count = 0;
  list[count++] = at_[operand];
  if (!problem_.layer.is_relevant(static_cast<Dim>(dim), x) || at_[operand] == home) return count;
  Extents grown = inner_;
  grown[dim] *= factor;
  const auto alone = [&](std::size_t m) {
    Int usage = tile_bits(m, x, grown, below_[m]);
    for (std::size_t y = 0; y < operand_count; ++y)
      if (y != operand) usage += size_[m][y];
    return m == home || usage <= problem_.machine.memories[m].capacity;
  };
  const bool stays = alone(at_[operand]);
  if (!stays) count = 0;
  if (stays && !free) return count;
  for (std::size_t m = at_[operand]; m-- > home;) {
    const bool offered = problem_.machine.memories[m].operands.contains(x) &&
                         !problem_.constraints.must_not_use[m].contains(x);
    if ((m == home || offered) && alone(m)) list[count++] = static_cast<std::uint8_t>(m);
  }
  return count;
}

bool NestBuilder::fits(const Places& at, std::size_t dim, Int factor) const {
  Extents grown = inner_;
  grown[dim] *= factor;
  for (const Operand operand : all_operands) {
    const auto x = index_of(operand);
    const std::size_t m = at[x];
    if (m == problem_.machine.home(operand)) continue;
    Int usage = 0;
    for (const Operand other : all_operands) {
      const auto y = index_of(other);
      usage += at[y] == m && m != problem_.machine.home(other) ? tile_bits(m, other, grown, below_[m])
                                                               : size_[m][y];
    }
    if (usage > problem_.machine.memories[m].capacity) return false;
  }
  return true;
}

NestBuilder::Priority NestBuilder::priority_of(const Choice& choice, Int factor) const {
  Priority priority;
  for (const Operand operand : all_operands) {
    const auto x = index_of(operand);
    const auto& inner = problem_.machine.memories[at_[x]];
    const auto tile = static_cast<double>(tile_bits(at_[x], operand, inner_, below_[at_[x]]));
    if (choice.at[x] != at_[x]) {
      const auto& outer = problem_.machine.memories[choice.at[x]];
      const auto bandwidth = static_cast<double>(std::min(inner.bandwidth, outer.bandwidth));
      const double both_ways = operand == Operand::O && partial_ ? 2 : 1;
      priority.transfers +=
          both_ways * tile * static_cast<double>(rest_) *
          (cycle_weight_ / bandwidth + energy_weight_ * (outer.read_energy + inner.write_energy));
    }
    if (!problem_.layer.is_relevant(static_cast<Dim>(choice.dim), operand)) {
      const double weight = cycle_weight_ / static_cast<double>(inner.bandwidth) + energy_weight_;
      priority.reuse += tile * weight * static_cast<double>(factor - 1) / static_cast<double>(factor);
    }
  }
  return priority;
}

void NestBuilder::apply(const Choice& choice) {
  if (choice.seal) {
    sealed_ = true;
    for (std::size_t d = 0; d < dim_count; ++d)
      for (std::size_t f = 0; f < problem_.factors[d].factors.size(); ++f)
        for (int i = 0; i < count_[d][f]; ++i) {
          rest_ *= problem_.factors[d].factors[f].value;
          if (problem_.layer.is_reduction(static_cast<Dim>(d)))
            rest_reduction_ *= problem_.factors[d].factors[f].value;
        }
  } else {
    const Int factor = problem_.factors[choice.dim].factors[choice.factor].value;
    --count_[choice.dim][choice.factor];
    --left_;
    if (sealed_)
      place_loop(choice, factor);
    else
      spread(choice.axis, choice.dim, factor);
  }
  if (!sealed_) refresh_sizes();
  if (complete()) finish();
}

void NestBuilder::place_loop(const Choice& choice, Int factor) {
  constexpr auto o = index_of(Operand::O);
  if (choice.at[o] != at_[o]) partial_ = rest_reduction_ > 1;
  at_ = choice.at;
  inner_[choice.dim] *= factor;
  rest_ /= factor;
  if (problem_.layer.is_reduction(static_cast<Dim>(choice.dim))) rest_reduction_ /= factor;
  for (const Operand operand : all_operands) {
    const std::size_t m = at_[index_of(operand)];
    if (m != problem_.machine.home(operand))
      size_[m][index_of(operand)] = tile_bits(m, operand, inner_, below_[m]);
  }
  const auto dim = static_cast<Dim>(choice.dim);
  if (!loops_.empty() && loops_.back().dim == dim && loops_.back().at == at_)
    loops_.back().factor *= factor;
  else
    loops_.push_back({dim, factor, at_});
}

double NestBuilder::value(const Mapping& mapping) const {
  constexpr double never = std::numeric_limits<double>::infinity();
  const auto& constraints = problem_.constraints;
  if (find_violation(problem_.layer, problem_.machine, mapping) ||
      !satisfies_constraints(constraints, problem_.layer, problem_.machine, mapping))
    return never;
  const CimEvaluation evaluation = evaluate(problem_.layer, problem_.machine, mapping);
  if (evaluation.cycles(problem_.objective.latency_model) > constraints.max_latency ||
      (constraints.limits_additive() && evaluation.energy_pj > constraints.max_additive))
    return never;
  return objective_value(problem_.objective, evaluation, problem_.machine);
}

// Adds the double buffers that lower the cost of the placement, and computes its exact cost.
void NestBuilder::finish() {
  Mapping mapping;
  mapping.spatial = spatial_;
  for (std::size_t i = loops_.size(); i-- > 0;) mapping.loops.push_back(loops_[i]);
  normalise(mapping, problem_.layer, problem_.machine);
  cost_ = value(mapping);
  for (std::size_t m = 0; m < problem_.machine.memories.size(); ++m) {
    if (!problem_.machine.memories[m].double_buffer) continue;
    for (const Operand operand : all_operands) {
      if (!problem_.machine.memories[m].operands.contains(operand)) continue;
      Mapping doubled = mapping;
      doubled.double_buffered[m].insert(operand);
      if (const double cost = value(doubled); cost < cost_) {
        cost_ = cost;
        mapping = doubled;
      }
    }
  }
  if (cost_ < best_cost_) {
    best_cost_ = cost_;
    best_ = mapping;
  }
}

// Exchanges two loops, or a spatial factor and a loop, or makes the factor of a loop spatial. Exchanging two
// spatial factors would have no effect.
std::size_t NestBuilder::perturb(std::span<Choice> sequence, Random& random) const {
  std::size_t seal = 0;
  while (seal < sequence.size() && !sequence[seal].seal) ++seal;
  if (seal + 1 >= sequence.size()) return sequence.size();
  const auto loops = sequence.size() - seal - 1;
  const std::size_t later = seal + 1 + static_cast<std::size_t>(random.below(loops));
  const std::size_t first = static_cast<std::size_t>(random.below(sequence.size()));
  if (first == later) return sequence.size();
  const std::size_t a = std::min(first, later);
  const std::size_t b = std::max(first, later);
  if (a == seal) {  // one more factor becomes spatial
    const Choice moved = sequence[b];
    for (std::size_t i = b; i > a; --i) sequence[i] = sequence[i - 1];
    sequence[a] = moved;
  } else {
    std::swap(sequence[a], sequence[b]);
  }
  return a;
}

}  // namespace nestor::cim

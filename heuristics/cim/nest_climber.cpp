// SPDX-License-Identifier: Apache-2.0
#include "heuristics/cim/nest_climber.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "model/cim/search/nest_cost.h"
#include "model/loopnest/canonical.h"
#include "model/loopnest/rules/satisfies_constraints.h"

namespace nestor::cim {
namespace {

constexpr int least_changes = 4;       // changes of a shake; some shakes have 2 or 4 times as many
constexpr int draws_in_a_shake = 256;  // most random changes are invalid

// Puts every loop outside all memories except the homes; no mapping needs less memory.
void put_all_at_home(const CimProblem& problem, Mapping& mapping) {
  mapping.spatial.fill(unit_extents);
  mapping.loops.clear();
  mapping.double_buffered.fill({});
  Loop loop;
  for (const Operand operand : all_operands)
    loop.at[index_of(operand)] = static_cast<std::uint8_t>(problem.machine.home(operand));
  for (std::size_t d = 0; d < dim_count; ++d)
    for (const FactorSet::Factor& factor : problem.factors[d].factors)
      for (int i = 0; i < factor.count; ++i) {
        loop.dim = static_cast<Dim>(d);
        loop.factor = factor.value;
        mapping.loops.push_back(loop);
      }
}

void swap_loops(std::size_t a, std::size_t b, Mapping& mapping) {
  std::swap(mapping.loops[a].dim, mapping.loops[b].dim);
  std::swap(mapping.loops[a].factor, mapping.loops[b].factor);
}

// Returns the operands that have a block in each memory.
std::array<OperandSet, max_memories> blocks_of(const Mapping& mapping, const Hierarchy& machine) {
  auto used = memories_with_loops(mapping);
  for (const Operand operand : all_operands) used[machine.innermost(operand)].insert(operand);
  return used;
}

}  // namespace

void NestClimber::start(const Mapping* best) {
  if (best != nullptr)
    mapping_ = *best;
  else
    put_all_at_home(problem_, mapping_);
  cost_ = cost_of(mapping_);
  if (cost_ == no_cost) shakes_ = most_shakes + 1;
  trial_ = mapping_;
}

std::uint64_t NestClimber::climb(std::uint64_t count, Slice& slice, Mapping& best, Cost& cost) {
  const auto keep = [&] {
    if (cost_ >= cost) return;
    best = mapping_;
    cost = cost_;
  };
  if (!ended() && draws_left_ == 0) keep();
  std::uint64_t looked = 0;
  while (looked < count && !ended() && !slice.over()) {
    slice.charge(1);
    if (draws_left_ > 0) {
      slice.charge(units_of_cost());
      draw();
      if (draws_left_ == 0) keep();  // before the slice can end, so that the result does not depend on slices
      continue;
    }
    if (next_ == change_count()) {
      if (++shakes_ > most_shakes) break;
      begin_shake(best, cost);
      continue;
    }
    if (!change(next_++, trial_)) continue;
    ++looked;
    slice.charge(units_of_cost());
    const Cost found = cost_of(trial_);
    if (found >= cost_) {
      trial_ = mapping_;
      continue;
    }
    mapping_ = trial_;
    cost_ = found;
    next_ = 0;
    keep();
  }
  return looked;
}

// Returns the cost of a mapping, or no_cost if a memory is too small or a constraint is violated.
Cost NestClimber::cost_of(Mapping& mapping) const {
  normalise(mapping, problem_.layer, problem_.machine);
  const auto used = blocks_of(mapping, problem_.machine);
  for (std::size_t m = 0; m < problem_.machine.memories.size(); ++m)
    for (const Operand operand : all_operands)
      if (!used[m].contains(operand)) mapping.double_buffered[m].erase(operand);
  const auto cost = cost_of_nest(problem_, mapping);
  if (!cost) return no_cost;
  if constexpr (!latency_only) {  // constraints do not exist on devices
    const Constraints& constraints = problem_.constraints;
    if (cost->latency > constraints.max_latency || cost->additive > constraints.max_additive ||
        !satisfies_constraints(constraints, problem_.layer, problem_.machine, mapping))
      return no_cost;
  }
  return problem_.objective.combine(static_cast<Cost>(cost->latency), cost->additive);
}

// Starts a shake: a few random changes to the best mapping so far.
void NestClimber::begin_shake(const Mapping& best, Cost cost) {
  mapping_ = best;
  cost_ = cost;
  next_ = 0;
  trial_ = mapping_;
  changes_left_ = least_changes * (1 << shakes_ % 3);
  draws_left_ = draws_in_a_shake;
}

void NestClimber::draw() {
  --draws_left_;
  if (!change(static_cast<std::size_t>(random_.below(change_count())), trial_)) return;
  const Cost found = cost_of(trial_);
  if (found < no_cost) {
    mapping_ = trial_;
    cost_ = found;
    if (--changes_left_ == 0) draws_left_ = 0;
  } else {
    trial_ = mapping_;
  }
}

// Returns the number of changes. The families of changes, in the order of their numbers: move a loop onto an
// axis; move a factor from an axis to the innermost position, or exchange it with a loop; move the end of a
// block; toggle a double buffer; reorder loops, alone or together with the end of a block.
//
// The numbering must not depend on the capacities of fixed-size arrays, which differ between targets.
std::size_t NestClimber::change_count() const {
  const std::size_t loops = mapping_.loops.size();
  const std::size_t blocks = problem_.machine.memories.size() * operand_count;
  const std::size_t axis_factors = problem_.machine.axes.size() * distinct_factors();
  return problem_.machine.axes.size() * loops + axis_factors * (loops + 1) + blocks * (loops + 2) +
         (2 + blocks) * loops * loops;
}

std::size_t NestClimber::distinct_factors() const {
  std::size_t count = 0;
  for (const FactorSet& set : problem_.factors) count += set.factors.size();
  return count;
}

bool NestClimber::change(std::size_t number, Mapping& mapping) const {
  const std::size_t loops = mapping.loops.size();
  const std::size_t axes = problem_.machine.axes.size();
  const std::size_t blocks = problem_.machine.memories.size() * operand_count;
  // Extracts a digit of the number in a mixed radix.
  const auto digit = [&number](std::size_t base) {
    const std::size_t value = number % base;
    number /= base;
    return value;
  };
  // True if the number is in a family of this size. Otherwise, subtracts the size so that the next family can
  // be tested.
  const auto is_in = [&number](std::size_t family) {
    if (number < family) return true;
    number -= family;
    return false;
  };
  if (is_in(axes * loops)) {
    const std::size_t axis = digit(axes);
    return put_on_axis(axis, number, mapping);
  }
  if (is_in(axes * distinct_factors() * (loops + 1))) {
    const std::size_t loop = digit(loops + 1);
    const std::size_t axis = digit(axes);
    std::size_t dim = 0;
    while (!is_in(problem_.factors[dim].factors.size())) ++dim;
    return take_from_axis(axis, dim, problem_.factors[dim].factors[number].value, loop, mapping);
  }
  if (is_in(blocks * (loops + 2))) {
    const std::size_t block = digit(blocks);
    return number <= loops ? move_boundary(block, number, mapping) : toggle_buffer(block, mapping);
  }
  if (is_in(2 * loops * loops)) {
    const std::size_t from = digit(loops);
    const std::size_t to = digit(loops);
    return number == 0 ? move_loop(from, to, mapping) : exchange_loops(from, to, mapping);
  }
  const std::size_t block = digit(blocks);
  const std::size_t from = digit(loops);
  return from != number && move_boundary(block, number + 1, mapping) && move_loop(from, number, mapping);
}

// Moves a loop. The positions at which blocks begin and end do not change.
bool NestClimber::move_loop(std::size_t from, std::size_t to, Mapping& mapping) {
  if (from == to) return false;
  for (; from < to; ++from) swap_loops(from, from + 1, mapping);
  for (; from > to; --from) swap_loops(from, from - 1, mapping);
  return true;
}

bool NestClimber::exchange_loops(std::size_t a, std::size_t b, Mapping& mapping) {
  if (a >= b) return false;
  swap_loops(a, b, mapping);
  return true;
}

// Moves the inner end of a block so that `loops_outside` loops are outside it and the other loops are further
// inside.
bool NestClimber::move_boundary(std::size_t block, std::size_t loops_outside, Mapping& mapping) const {
  const auto& memories = problem_.machine.memories;
  const std::size_t memory = block / operand_count;
  const auto operand = static_cast<Operand>(block % operand_count);
  std::size_t inward = memory + 1;
  while (inward < memories.size() && !memories[inward].operands.contains(operand)) ++inward;
  if (!memories[memory].operands.contains(operand) || inward == memories.size()) return false;
  bool changed = false;
  for (std::size_t i = 0; i < mapping.loops.size(); ++i) {
    std::uint8_t& at = mapping.loops[i].at[index_of(operand)];
    const std::size_t wanted =
        i < loops_outside ? std::min<std::size_t>(at, memory) : std::max<std::size_t>(at, inward);
    changed |= at != wanted;
    at = static_cast<std::uint8_t>(wanted);
  }
  return changed;
}

bool NestClimber::toggle_buffer(std::size_t block, Mapping& mapping) const {
  const std::size_t memory = block / operand_count;
  const auto operand = static_cast<Operand>(block % operand_count);
  const Memory& place = problem_.machine.memories[memory];
  if (!place.double_buffer || !place.operands.contains(operand)) return false;
  if (memory == problem_.machine.home(operand) ||
      !blocks_of(mapping, problem_.machine)[memory].contains(operand))
    return false;
  OperandSet& doubled = mapping.double_buffered[memory];
  if (doubled.contains(operand))
    doubled.erase(operand);
  else
    doubled.insert(operand);
  return true;
}

bool NestClimber::put_on_axis(std::size_t axis, std::size_t loop, Mapping& mapping) const {
  const Axis& place = problem_.machine.axes[axis];
  const Loop moved = mapping.loops[loop];
  const Int product = moved.factor * product_of(mapping.spatial[axis]);
  if (!place.dims.contains(moved.dim) || product > place.size) return false;
  mapping.spatial[axis][index_of(moved.dim)] *= moved.factor;
  mapping.loops.erase_at(loop);
  return true;
}

// Moves a factor to the innermost position, or exchanges it with a loop.
bool NestClimber::take_from_axis(std::size_t axis, std::size_t dim, Int factor, std::size_t loop,
                                 Mapping& mapping) const {
  Extents& on_axis = mapping.spatial[axis];
  if (on_axis[dim] % factor != 0) return false;
  Loop taken{.dim = static_cast<Dim>(dim), .factor = factor};
  if (loop == mapping.loops.size()) {
    for (const Operand operand : all_operands)
      taken.at[index_of(operand)] = static_cast<std::uint8_t>(problem_.machine.innermost(operand));
    on_axis[dim] /= factor;
    mapping.loops.push_back(taken);
    return true;
  }
  const Loop given = mapping.loops[loop];
  const Axis& place = problem_.machine.axes[axis];
  Int product = given.factor;
  for (const Int other : on_axis) product *= other;
  if (!place.dims.contains(given.dim) || product / factor > place.size) return false;
  if (given.dim == taken.dim && given.factor == factor) return false;
  on_axis[dim] /= factor;
  on_axis[index_of(given.dim)] *= given.factor;
  taken.at = given.at;
  mapping.loops[loop] = taken;
  return true;
}

}  // namespace nestor::cim

// SPDX-License-Identifier: Apache-2.0
#include "heuristics/cim/nest_moves.h"

#include <algorithm>
#include <utility>

#include "base/primes.h"
#include "model/cim/search/nest_cost.h"
#include "model/loopnest/canonical.h"
#include "model/loopnest/rules/satisfies_constraints.h"

namespace nestor::cim {
namespace {

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

bool NestMoves::apply_to(const CimProblem& problem) {
  const auto is_prime = [](const FactorSet::Factor& factor) {
    int primes = 0;
    for_each_prime_factor(factor.value, [&](Int) { ++primes; });
    return primes == 1;
  };
  return problem.objective.additive_is_energy() &&
         std::all_of(problem.factors.begin(), problem.factors.end(), [&](const FactorSet& set) {
           return std::all_of(set.factors.begin(), set.factors.end(), is_prime);
         });
}

void NestMoves::put_all_at_home(Mapping& mapping) const {
  mapping.spatial.fill(unit_extents);
  mapping.loops.clear();
  mapping.double_buffered.fill({});
  Loop loop;
  for (const Operand operand : all_operands)
    loop.at[index_of(operand)] = static_cast<std::uint8_t>(problem_.machine.home(operand));
  for (std::size_t d = 0; d < dim_count; ++d)
    for (const FactorSet::Factor& factor : problem_.factors[d].factors)
      for (int i = 0; i < factor.count; ++i) {
        loop.dim = static_cast<Dim>(d);
        loop.factor = factor.value;
        mapping.loops.push_back(loop);
      }
}

Cost NestMoves::cost_of(Mapping& mapping) const {
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

// Returns the number of changes. The families of changes, in the order of their numbers: move a loop onto an
// axis; move a factor from an axis to the innermost position, or exchange it with a loop; move the end of a
// block; toggle a double buffer; reorder loops, alone or together with the end of a block.
//
// The numbering must not depend on the capacities of fixed-size arrays, which differ between targets.
std::size_t NestMoves::change_count(const Mapping& mapping) const {
  const std::size_t loops = mapping.loops.size();
  const std::size_t blocks = problem_.machine.memories.size() * operand_count;
  const std::size_t axis_factors = problem_.machine.axes.size() * distinct_factors();
  return problem_.machine.axes.size() * loops + axis_factors * (loops + 1) + blocks * (loops + 2) +
         (2 + blocks) * loops * loops;
}

std::size_t NestMoves::distinct_factors() const {
  std::size_t count = 0;
  for (const FactorSet& set : problem_.factors) count += set.factors.size();
  return count;
}

bool NestMoves::change(std::size_t number, Mapping& mapping) const {
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
bool NestMoves::move_loop(std::size_t from, std::size_t to, Mapping& mapping) {
  if (from == to) return false;
  for (; from < to; ++from) swap_loops(from, from + 1, mapping);
  for (; from > to; --from) swap_loops(from, from - 1, mapping);
  return true;
}

bool NestMoves::exchange_loops(std::size_t a, std::size_t b, Mapping& mapping) {
  if (a >= b) return false;
  swap_loops(a, b, mapping);
  return true;
}

// Moves the inner end of a block so that `loops_outside` loops are outside it and the other loops are further
// inside.
bool NestMoves::move_boundary(std::size_t block, std::size_t loops_outside, Mapping& mapping) const {
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

bool NestMoves::toggle_buffer(std::size_t block, Mapping& mapping) const {
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

bool NestMoves::put_on_axis(std::size_t axis, std::size_t loop, Mapping& mapping) const {
  const Axis& place = problem_.machine.axes[axis];
  const Loop moved = mapping.loops[loop];
  const Int product = moved.factor * product_of(mapping.spatial[axis]);
  if (!place.dims.contains(moved.dim) || product > place.size) return false;
  mapping.spatial[axis][index_of(moved.dim)] *= moved.factor;
  mapping.loops.erase_at(loop);
  return true;
}

// Moves a factor to the innermost position, or exchanges it with a loop.
bool NestMoves::take_from_axis(std::size_t axis, std::size_t dim, Int factor, std::size_t loop,
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

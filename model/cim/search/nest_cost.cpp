// SPDX-License-Identifier: Apache-2.0
#include "model/cim/search/nest_cost.h"

#include "model/cim/search/miredo_recursion.h"
#include "model/cim/search/stall_recursion.h"
#include "model/loopnest/spatial_factors.h"
#include "model/loopnest/tiles.h"

namespace nestor::cim {
namespace {

using MoveOfEach = std::array<Move, operand_count>;

// Traversal of a mapping from the innermost loop outward, in the order of the search, without the recursion
// of a latency model.
class NestWalk {
 public:
  NestWalk(const CimProblem& problem, const Mapping& mapping) : problem_(problem), mapping_(mapping) {
    for (const Operand operand : all_operands)
      at_[index_of(operand)] = static_cast<std::uint8_t>(problem.machine.innermost(operand));
    for (const Loop& loop : mapping.loops) {
      rest_ *= loop.factor;
      if (problem.layer.is_relevant(loop.dim, Operand::O)) distinct_outputs_ *= loop.factor;
    }
    if constexpr (!latency_only) {
      const auto accessed = [&](Operand operand) {
        const std::size_t memory = problem_.machine.innermost(operand);
        return elements_at(memory, operand) *
               lanes_above(problem_.machine.memories[memory], mapping_.spatial);
      };
      additive_ = base_energy(problem_, rest_, accessed(Operand::I), accessed(Operand::O));
    }
  }

  Int rest() const { return rest_; }
  Int returns() const { return rest_ - distinct_outputs_; }
  Cost additive() const { return additive_; }

  // Sets the moves of the operands in the slot of the next loop.
  void move(const Loop& loop, MoveOfEach& moves) {
    for (const Operand operand : all_operands) {
      const auto x = index_of(operand);
      Move& move = moves[x];
      move.to = loop.at[x];
      move.jump = move.to != at_[x];
      if (!move.jump) continue;
      move.doubled = mapping_.double_buffered[at_[x]].contains(operand);
      move.cycles = leave(operand, move.to);
      at_[x] = move.to;
      if (operand == Operand::O) entered_complete_ = complete();
    }
  }
  void place(const Loop& loop) {
    inner_[index_of(loop.dim)] *= loop.factor;
    rest_ /= loop.factor;
    if (problem_.layer.is_relevant(loop.dim, Operand::O)) distinct_outputs_ /= loop.factor;
  }
  // Adds one fill or drain for each operand that is not at home. Returns false if a memory is too small.
  bool end(std::array<Int, operand_count>& edge) {
    for (const Operand operand : all_operands) {
      const std::size_t home = problem_.machine.home(operand);
      if (at_[index_of(operand)] != home) edge[index_of(operand)] = leave(operand, home);
    }
    for (std::size_t m = 0; m < problem_.machine.memories.size(); ++m)
      if (usage_[m] > problem_.machine.memories[m].capacity) return false;
    return true;
  }

 private:
  bool complete() const { return rest_ == distinct_outputs_; }  // true if all reductions are inside

  Int elements_at(std::size_t memory, Operand operand) const {
    const Memory& place = problem_.machine.memories[memory];
    return elements(problem_.layer, operand,
                    extents_below(problem_.machine, place, mapping_.spatial, inner_));
  }
  Int width(Operand operand, bool finished) const { return problem_.layer.bits.of(operand, !finished); }

  // Moves an operand from its memory to memory `to`. Adds the bits of its block, eq. (4.1), to the sum of eq.
  // (4.3), and adds the energy of the transfers. Returns the cycles of one transfer, eq. (5.1).
  Int leave(Operand operand, std::size_t to) {
    const std::size_t memory = at_[index_of(operand)];
    const Memory& from = problem_.machine.memories[memory];
    const Memory& source = problem_.machine.memories[to];
    const bool output = operand == Operand::O;
    const bool reduced = output && is_reduced_above(problem_.layer, from, mapping_.spatial);
    const bool finished = entered_complete_ && memory != problem_.machine.innermost(Operand::O) && !reduced;
    const Int inside = elements_at(memory, operand);
    usage_[memory] +=
        inside * width(operand, finished) * (mapping_.double_buffered[memory].contains(operand) ? 2 : 1);
    const Int unique = elements_at(to, operand) * width(operand, complete());
    if constexpr (!latency_only) {
      const Int copies = inside * width(operand, complete() && !reduced);
      const auto lanes = [&](const Memory& of) {
        return static_cast<Cost>(lanes_above(of, mapping_.spatial));
      };
      additive_ += transfer_energy(
          output ? rest_ : 0, output ? returns() : rest_,
          {static_cast<Cost>(unique), source.read_energy * lanes(source),
           source.write_energy * lanes(source)},
          {static_cast<Cost>(copies), from.read_energy * lanes(from), from.write_energy * lanes(from)});
    }
    return ceil_divide(unique, source.bandwidth);
  }

  const CimProblem& problem_;
  const Mapping& mapping_;
  Extents inner_ = unit_extents;  // extents of the placed loops
  std::array<std::uint8_t, operand_count> at_{};
  bool entered_complete_ = false;  // true if O entered its block with all reductions inside
  Int rest_ = 1;                   // iterations of the remaining loops
  Int distinct_outputs_ = 1;       // iterations of the remaining loops that are relevant to O
  std::array<Int, max_memories> usage_{};
  Cost additive_ = 0;
};

template <LatencyRecursion Recursion>
std::optional<NestCost> walk(const CimProblem& problem, const Mapping& mapping) {
  NestWalk nest(problem, mapping);
  typename Recursion::State state;
  Recursion::start(state, problem.machine.mvm_cycles);
  for (std::size_t i = mapping.loops.size(); i-- > 0;) {
    MoveOfEach moves;
    nest.move(mapping.loops[i], moves);
    std::array<Offer, operand_count> offers;
    for (std::size_t x = 0; x < operand_count; ++x) {
      Recursion::time(state, x, nest.returns(), nest.rest(), moves[x]);
      offers[x].move = &moves[x];
    }
    const Int period = Recursion::period(state, {offers.data(), &offers[1], &offers[2]});
    Recursion::advance(state, mapping.loops[i].factor, {moves.data(), &moves[1], &moves[2]}, period);
    nest.place(mapping.loops[i]);
  }
  std::array<Int, operand_count> edge{};
  if (!nest.end(edge)) return std::nullopt;
  return NestCost{Recursion::complete(state, edge, problem.machine.mvm_cycles), nest.additive()};
}

}  // namespace

std::optional<NestCost> cost_of_nest(const CimProblem& problem, const Mapping& mapping) {
  if (problem.objective.latency_model == LatencyModel::stall) return walk<StallRecursion>(problem, mapping);
  return walk<MiredoRecursion>(problem, mapping);
}

}  // namespace nestor::cim

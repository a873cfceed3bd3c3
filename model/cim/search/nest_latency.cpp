#include "model/cim/search/nest_latency.h"

#include "model/cim/search/miredo_recursion.h"
#include "model/cim/search/stall_recursion.h"
#include "model/loopnest/spatial_factors.h"
#include "model/loopnest/tiles.h"

namespace nestor::cim {
namespace {

// A mapping read from the innermost loop outward, as the search places one.
template <LatencyRecursion Recursion>
class NestWalk {
 public:
  NestWalk(const CimProblem& problem, const Mapping& mapping) : problem_(problem), mapping_(mapping) {
    Recursion::start(state_, problem.machine.mvm_cycles);
    for (const Operand operand : all_operands)
      at_[index_of(operand)] = static_cast<std::uint8_t>(problem.machine.innermost(operand));
    for (const Loop& loop : mapping.loops) {
      rest_ *= loop.factor;
      if (problem.layer.is_relevant(loop.dim, Operand::O)) distinct_outputs_ *= loop.factor;
    }
  }

  std::optional<Int> run() {
    for (std::size_t i = mapping_.loops.size(); i-- > 0;) place(mapping_.loops[i]);
    std::array<Int, operand_count> edge{};  // what is not home yet is filled or drained once
    for (const Operand operand : all_operands) {
      const std::size_t home = problem_.machine.home(operand);
      if (at_[index_of(operand)] == home) continue;
      leave(operand);
      edge[index_of(operand)] = cycles_from(home, operand);
    }
    for (std::size_t m = 0; m < problem_.machine.memories.size(); ++m)
      if (usage_[m] > problem_.machine.memories[m].capacity) return std::nullopt;
    return Recursion::complete(state_, edge, problem_.machine.mvm_cycles);
  }

 private:
  bool complete() const { return rest_ == distinct_outputs_; }  // all reductions are inside

  void place(const Loop& loop) {
    std::array<Move, operand_count> moves;
    std::array<Offer, operand_count> offers;
    for (const Operand operand : all_operands) {
      const auto x = index_of(operand);
      Move& move = moves[x];
      move.to = loop.at[x];
      move.jump = move.to != at_[x];
      if (move.jump) {
        move.doubled = mapping_.double_buffered[at_[x]].contains(operand);
        move.cycles = cycles_from(move.to, operand);
        leave(operand);
        at_[x] = move.to;
        if (operand == Operand::O) entered_complete_ = complete();
      }
      Recursion::time(state_, x, rest_ - distinct_outputs_, rest_, move);
      offers[x].move = &move;
    }
    const Int period = Recursion::period(state_, {offers.data(), &offers[1], &offers[2]});
    Recursion::advance(state_, loop.factor, {moves.data(), &moves[1], &moves[2]}, period);
    inner_[index_of(loop.dim)] *= loop.factor;
    rest_ /= loop.factor;
    if (problem_.layer.is_relevant(loop.dim, Operand::O)) distinct_outputs_ /= loop.factor;
  }

  Int elements_at(std::size_t memory, Operand operand) const {
    const Memory& place = problem_.machine.memories[memory];
    return elements(problem_.layer, operand,
                    extents_below(problem_.machine, place, mapping_.spatial, inner_));
  }
  Int width(Operand operand, bool finished) const { return problem_.layer.bits.of(operand, !finished); }
  // docs/models/cim.md (5.1).
  Int cycles_from(std::size_t source, Operand operand) const {
    return ceil_divide(elements_at(source, operand) * width(operand, complete()),
                       problem_.machine.memories[source].bandwidth);
  }

  // Counts the room of the block that an operand has filled, (4.1), for (4.3).
  void leave(Operand operand) {
    const std::size_t memory = at_[index_of(operand)];
    const bool finished =
        entered_complete_ && memory != problem_.machine.innermost(Operand::O) &&
        !is_reduced_above(problem_.layer, problem_.machine.memories[memory], mapping_.spatial);
    usage_[memory] += elements_at(memory, operand) * width(operand, finished) *
                      (mapping_.double_buffered[memory].contains(operand) ? 2 : 1);
  }

  const CimProblem& problem_;
  const Mapping& mapping_;
  typename Recursion::State state_;
  Extents inner_ = unit_extents;  // of the loops placed
  std::array<std::uint8_t, operand_count> at_{};
  bool entered_complete_ = false;  // O's block began with all reductions inside
  Int rest_ = 1;                   // iterations of the loops still to be placed
  Int distinct_outputs_ = 1;       // of those that O sees
  std::array<Int, max_memories> usage_{};
};

}  // namespace

std::optional<Int> latency_of_nest(const CimProblem& problem, const Mapping& mapping) {
  if (problem.objective.latency_model == LatencyModel::stall)
    return NestWalk<StallRecursion>(problem, mapping).run();
  return NestWalk<MiredoRecursion>(problem, mapping).run();
}

}  // namespace nestor::cim

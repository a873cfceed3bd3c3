#include "heuristics/cim/greedy_nest.h"

#include "heuristics/cim/nest_builder.h"
#include "heuristics/priority/priority.h"

namespace nestor::cim {

std::optional<GreedyResult> greedy_nest(const CimProblem& problem, std::uint64_t seed,
                                        const GreedyEffort& effort) {
  NestBuilder builder(problem);
  std::array<NestBuilder::Choice, NestBuilder::most_choices> work{};
  std::array<NestBuilder::Choice, NestBuilder::most_choices> best{};
  priority::PrioritySearch<NestBuilder> search(builder, work, best, seed);
  search.restart(effort.restarts);
  search.improve(effort.patience);
  if (!builder.found()) return std::nullopt;
  return GreedyResult{builder.best(), builder.best_cost()};
}

}  // namespace nestor::cim

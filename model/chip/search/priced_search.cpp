#include "model/chip/search/priced_search.h"

#include "model/chip/search/priced_state.h"

namespace nestor::chip {

PricedOutcome search_priced(const ChipProblem& problem, const SegmentDecision& segment,
                            std::span<const std::vector<LatencyOption>> options, const PricedGoal& goal,
                            std::uint64_t most_nodes, const StopSource& stop) {
  return priced::PricedSearch(problem, segment, options, goal, stop).run(most_nodes);
}

}  // namespace nestor::chip

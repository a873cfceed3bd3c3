// Beam searches (heuristics/nest/beam_search.h) that improve the incumbent of an exact search in the same
// space.
#pragma once

#include <optional>

#include "heuristics/nest/beam_search.h"
#include "solver/engine/parts.h"

namespace nestor::mapper {

/// Returns the best mapping found, if any costs less than `cost`. The search begins with the spatial choice
/// `start`, if any, and takes about as long as `work` expansions. Without memory for it, nothing is found.
template <typename Space>
std::optional<typename Engine<Space>::Found> improve_by_beams(Space& space, MemoryBudget& memory, double cost,
                                                              std::optional<std::size_t> start,
                                                              std::uint64_t work, const StopSignal& stop) {
  using Search = nest::BeamSearch<Space, HostStorage>;
  MemoryCharge charge(memory);
  if (!charge.raise_to(space.branch_count() * Search::bytes_per_choice)) return std::nullopt;
  Search search(space, HostStorage(memory), {.work = work, .patience = work, .seed = work, .stop = &stop});
  search.accept_below(cost);
  if (start) search.begin_with(*start);
  std::optional<typename Engine<Space>::Found> found;
  search.run(work, [&](double improved, const typename Space::Solution& mapping) {
    found = {improved, search.best_choice(), mapping};
  });
  return found;
}

}  // namespace nestor::mapper

#include "mapper/prove.h"

#include <algorithm>

namespace nestor::mapper {
namespace {

using Space = cim::CimSpace<HostStorage>;
using Outcome = CimEngine::Outcome;
using Found = CimEngine::Found;

// Progress of the second search as part of the whole.
class Continued final : public EngineObserver {
 public:
  Continued(EngineObserver& observer, std::uint64_t work) : observer_(observer), work_(work) {}
  void round_ended(const EngineProgress& progress) override {
    EngineProgress whole = progress;
    whole.work += work_;
    observer_.round_ended(whole);
  }

 private:
  EngineObserver& observer_;
  std::uint64_t work_;
};

void add_history(const Outcome& first, Outcome& second) {
  for (auto& [work, cost] : second.incumbents) work += first.counts.expanded;
  second.incumbents.insert(second.incumbents.begin(), first.incumbents.begin(), first.incumbents.end());
  second.counts.add(first.counts);
  second.branches_opened += first.branches_opened;
  second.rounds += first.rounds;
}

struct Limits {
  Executor& executor;
  MemoryBudget& memory;
  StopSource& stop;
};

Outcome run(const cim::Problem& problem, cim::Direction direction, const Limits& limits,
            const EngineOptions& options, EngineObserver* observer, std::optional<Found> seed) {
  std::size_t charged = 0;
  const auto go_on = [&](std::size_t bytes) {
    if (limits.stop.requested() || (bytes > charged && !limits.memory.take(bytes - charged))) return false;
    charged = std::max(charged, bytes);
    return true;
  };
  Outcome outcome;
  {
    Space space(problem, direction, go_on);
    if (space.choices().complete()) {
      outcome = CimEngine(space, limits.executor, limits.memory, options, limits.stop, observer)
                    .run(std::move(seed));
    } else {
      // Not even all spatial choices are known: what holds for all of them is the bound.
      outcome.status = limits.stop.requested() ? limits.stop.status() : Status::memory_limit;
      outcome.bound = std::max(space.choices().bound_of_all(), options.known_bound);
      if (seed) outcome.best.push_back(std::move(*seed));
    }
  }
  limits.memory.give_back(charged);
  return outcome;
}

}  // namespace

Outcome prove(const cim::Problem& problem, Executor& executor, MemoryBudget& memory,
              const EngineOptions& options, StopSource& stop, EngineObserver* observer,
              std::optional<Found> seed) {
  const bool either = cim::InwardBranch::answers(problem) && options.work_limit > first_direction_work;
  EngineOptions first_options = options;
  if (either) first_options.work_limit = first_direction_work;
  const Limits limits{executor, memory, stop};
  Outcome first = run(problem, cim::Direction::outward, limits, first_options, observer, seed);
  if (!either || first.status != Status::work_limit) return first;

  // With several solutions to keep, one per branch, the second search finds its own.
  if (options.keep_best == 1 && !first.best.empty()) seed = first.best.front();
  EngineOptions second_options = options;
  second_options.work_limit -= first.counts.expanded;
  second_options.known_bound = first.bound;
  std::optional<Continued> continued;
  if (observer != nullptr) continued.emplace(*observer, first.counts.expanded);
  Outcome second = run(problem, cim::Direction::inward, limits, second_options,
                       continued ? &*continued : nullptr, std::move(seed));
  add_history(first, second);
  return second;
}

}  // namespace nestor::mapper

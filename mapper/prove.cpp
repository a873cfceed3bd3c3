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

}  // namespace

Outcome prove(const cim::Problem& problem, Executor& executor, MemoryBudget& memory,
              const EngineOptions& options, StopSource& stop, EngineObserver* observer,
              std::optional<Found> seed) {
  const bool either = cim::InwardBranch::answers(problem) && options.work_limit > first_direction_work;
  EngineOptions first_options = options;
  if (either) first_options.work_limit = first_direction_work;
  Outcome first;
  {
    Space outward(problem, cim::Direction::outward);
    first = CimEngine(outward, executor, memory, first_options, stop, observer).run(seed);
  }
  if (!either || first.status != Status::work_limit) return first;

  // With several solutions to keep, one per branch, the second search finds its own.
  if (options.keep_best == 1 && !first.best.empty()) seed = first.best.front();
  EngineOptions second_options = options;
  second_options.work_limit -= first.counts.expanded;
  second_options.known_bound = first.bound;
  std::optional<Continued> continued;
  if (observer != nullptr) continued.emplace(*observer, first.counts.expanded);
  Space inward(problem, cim::Direction::inward);
  Outcome second =
      CimEngine(inward, executor, memory, second_options, stop, continued ? &*continued : nullptr).run(seed);
  add_history(first, second);
  return second;
}

}  // namespace nestor::mapper

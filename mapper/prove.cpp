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
  void turns_taken(const std::vector<std::uint64_t>& work) override { observer_.turns_taken(work); }

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

Outcome run(const cim::Problem& problem, cim::Direction direction, const Limits& limits,
            const EngineOptions& options, EngineObserver* observer, std::optional<Found> seed, LpUse lp) {
  return LimitedSpace(problem, limits, direction, lp).prove(options, observer, std::move(seed));
}

}  // namespace

LimitedSpace::LimitedSpace(const cim::Problem& problem, const Limits& limits, cim::Direction direction,
                           LpUse lp)
    : limits_(limits),
      space_(problem, direction, [this](std::size_t bytes) { return go_on(bytes); }),
      lp_(LpBound::applies(problem) ? lp : LpUse::off),
      lp_bound_(space_.choices(), limits.stop) {
  if (lp_ == LpUse::root)
    space_.refine_with([this](std::size_t choice, double enough) { return lp_bound_(choice, enough).bound; });
}

LimitedSpace::~LimitedSpace() { limits_.memory.give_back(charged_); }

bool LimitedSpace::go_on(std::size_t bytes) {
  if (limits_.stop.requested() || (bytes > charged_ && !limits_.memory.take(bytes - charged_))) return false;
  charged_ = std::max(charged_, bytes);
  return true;
}

std::optional<double> LimitedSpace::table_bound(std::size_t choice) {
  const auto run = space_.open(choice, HostStorage(limits_.memory));
  if (!run) return std::nullopt;
  return run->least_open();
}

Outcome LimitedSpace::prove(const EngineOptions& options, EngineObserver* observer,
                            std::optional<Found> seed) {
  if (space_.choices().complete()) {
    auto outcome = CimEngine(space_, limits_.executor, limits_.memory, options, limits_.stop, observer)
                       .run(std::move(seed));
    if (lp_ == LpUse::stopped && !outcome.left_open.empty()) raise_bound(outcome);
    return outcome;
  }
  // Not even all spatial choices are known: what holds for all of them is the bound.
  Outcome outcome;
  outcome.status = limits_.stop.requested() ? limits_.stop.status() : Status::memory_limit;
  outcome.bound = std::max(space_.choices().bound_of_all(), options.known_bound);
  if (seed) outcome.best.push_back(std::move(*seed));
  return outcome;
}

void LimitedSpace::raise_bound(Outcome& outcome) const {
  const double best = outcome.best.empty() ? no_cost : outcome.best.front().cost;
  const double raised = lp_bound_.of_all(outcome.left_open, slightly_below(best));
  outcome.bound = std::max(outcome.bound, std::min(best, raised));
}

Outcome prove(const cim::Problem& problem, const Limits& limits, const EngineOptions& options,
              EngineObserver* observer, std::optional<Found> seed, LpUse lp) {
  const bool either = cim::InwardBranch::answers(problem) && options.work_limit > first_direction_work;
  EngineOptions first_options = options;
  if (either) first_options.work_limit = first_direction_work;
  Outcome first = run(problem, cim::Direction::outward, limits, first_options, observer, seed, lp);
  if (!either || first.status != Status::work_limit) return first;

  // With several solutions to keep, one per branch, the second search finds its own.
  if (options.keep_best == 1 && !first.best.empty()) seed = first.best.front();
  EngineOptions second_options = options;
  second_options.work_limit -= first.counts.expanded;
  second_options.known_bound = first.bound;
  std::optional<Continued> continued;
  if (observer != nullptr) continued.emplace(*observer, first.counts.expanded);
  Outcome second = run(problem, cim::Direction::inward, limits, second_options,
                       continued ? &*continued : nullptr, std::move(seed), lp);
  add_history(first, second);
  return second;
}

}  // namespace nestor::mapper

#include "mapper/pim/choice_descent.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "heuristics/nest/neighbours.h"
#include "model/pim/search/joint_table.h"

namespace nestor::mapper::pim {
namespace {

using Space = ChoiceDescent::Space;
using Solution = ChoiceDescent::Solution;

constexpr std::uint64_t least_work = 3000;  // of an attempt that is worth its work
constexpr std::uint64_t work_per_sample = 48;
constexpr std::size_t dives = 16;               // last choices of the descent in which mappings are sought
constexpr std::uint64_t most_expansions = 200;  // of a dive

class Descent {
 public:
  Descent(Space& space, MemoryBudget& memory, double cutoff, std::uint64_t work, const StopSignal& stop)
      : space_(space),
        memory_(memory),
        stop_(stop),
        left_(work),
        least_(cutoff),
        tried_(space.branch_count()) {}

  std::optional<Solution> run(std::size_t samples) {
    const double cutoff = least_;
    for (std::size_t k = 0; k < samples; ++k) try_choice((2 * k + 1) * tried_.size() / (2 * samples));
    while (best_) {
      const std::size_t from = *best_;
      nest::for_each_neighbour(space_.choices(), from, [this](std::size_t to) { try_choice(to); });
      if (*best_ == from) break;
    }
    std::optional<Solution> found;
    for (std::size_t k = 0; k < dives && k < path_.size(); ++k)
      dive(path_[path_.size() - 1 - k], cutoff, found);
    return found;
  }

 private:
  void try_choice(std::size_t choice) {
    if (tried_[choice] || left_ == 0 || stop_.requested()) return;
    tried_[choice] = true;
    if (space_.branch_bound(choice) >= least_) return;
    const auto run = space_.open(choice, HostStorage(memory_));
    if (!run) return;
    const double bound = run->tightened(least_, left_);
    left_ -= std::min(left_, 1 + run->counts().expanded);
    if (bound >= least_) return;
    least_ = bound;
    best_ = choice;
    path_.push_back(choice);
  }
  void dive(std::size_t choice, double cutoff, std::optional<Solution>& found) {
    const auto run = space_.open(choice, HostStorage(memory_));
    if (!run) return;
    const double cut = found ? found->cost : cutoff;
    run->tightened(cut, std::numeric_limits<std::uint64_t>::max());
    run->dive(cut, {.work = most_expansions, .stop = &stop_});
    if (run->best_cost() < cut) found = {run->best_cost(), choice, run->solution()};
  }

  Space& space_;
  MemoryBudget& memory_;
  const StopSignal& stop_;
  std::uint64_t left_;  // work left for bounds
  double least_;        // least bound so far
  std::optional<std::size_t> best_;
  std::vector<std::size_t> path_;  // all best choices so far
  std::vector<bool> tried_;
};

}  // namespace

std::optional<Solution> ChoiceDescent::improve(const Solution* best, std::uint64_t work) {
  const auto& problem = space_.problem();
  if (best == nullptr || work < least_work || !nestor::pim::JointTable::supports(problem))
    return std::nullopt;
  const std::size_t samples = std::min<std::size_t>(work / work_per_sample, space_.branch_count());
  return Descent(space_, memory_, best->cost, work, stop_).run(samples);
}

}  // namespace nestor::mapper::pim

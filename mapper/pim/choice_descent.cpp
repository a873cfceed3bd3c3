#include "mapper/pim/choice_descent.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "heuristics/nest/neighbours.h"
#include "model/pim/search/joint_table.h"

namespace nestor::mapper::pim {
namespace {

using Space = ChoiceDescent::Space;
using Solution = ChoiceDescent::Solution;

constexpr std::uint64_t least_work = 3000;  // of an attempt that is worth its work
constexpr std::uint64_t work_per_sample = 48;
constexpr std::size_t choices_of_an_attempt = 16;  // last choices of a descent in which mappings are sought
constexpr std::size_t choices_of_a_descent = 3;
constexpr std::uint64_t most_expansions = 200;  // of a dive or a beam
constexpr std::uint32_t beam_width = 8;
constexpr std::size_t group = 4;              // choices of which the best begins a descent
constexpr double detour = 1.1;                // a descent begins below this multiple of the best cost
constexpr double first_limit = 2;             // limit of the first table, in multiples of a weaker bound
constexpr std::uint64_t patience = 10000;     // least work after which construction ends
constexpr double golden = 0.618033988749895;  // its multiples, modulo 1, are spread evenly

class Descent {
 public:
  Descent(Space& space, MemoryBudget& memory, double cutoff, std::uint64_t work, const StopSignal& stop)
      : space_(space),
        memory_(memory),
        stop_(stop),
        left_(work),
        cost_(cutoff),
        tried_(space.branch_count()) {}

  std::optional<Solution> attempt(std::size_t samples) {
    least_ = cost_;
    for (std::size_t k = 0; k < samples; ++k) try_choice((2 * k + 1) * tried_.size() / (2 * samples));
    descend();
    left_ = std::max(left_, least_work);
    map_last(choices_of_an_attempt);
    return found_;
  }

  // The first descent begins with a promising choice, the others with the best of a group from all parts of
  // the list. Ends when the work has doubled since the last gain, or all choices were in a group.
  std::uint64_t construct(const ChoiceDescent::Improved& improved) {
    const std::uint64_t all = left_;
    std::uint64_t last_gain = 0;
    double position = 0;
    for (std::size_t begun = 0; begun <= tried_.size() && goes_on(); begun += group) {
      best_.reset();
      path_.clear();
      least_ = detour * cost_;
      if (begun == 0)
        for (const std::size_t choice : promising()) try_choice(choice);
      else
        for (std::size_t k = 0; k < group; ++k) {
          position += golden;
          position -= std::floor(position);
          try_choice(static_cast<std::size_t>(position * static_cast<double>(tried_.size())));
        }
      descend();
      const double before = cost_;
      map_last(choices_of_a_descent);
      const std::uint64_t work = all - left_;
      if (cost_ < before) improved(*found_, last_gain = work);
      if (cost_ < no_cost && work > std::max(patience, 2 * last_gain)) break;
    }
    return all - left_;
  }

 private:
  bool goes_on() const { return left_ > 0 && !stop_.requested(); }
  TableWork table_work() const { return {.most = left_, .stop = &stop_}; }
  void spend(std::uint64_t work) { left_ -= std::min(left_, work); }

  // Returns the choices with the least bounds, and of these the ones with the fewest steps.
  std::vector<std::size_t> promising() const {
    const auto& choices = space_.choices();
    const auto before = [&](std::size_t a, std::size_t b) {
      if (choices.bound(a) != choices.bound(b)) return choices.bound(a) < choices.bound(b);
      return choices.steps(a) < choices.steps(b);
    };
    std::vector<std::size_t> best;
    for (std::size_t i = 0; i < choices.count(); ++i) {
      if (best.size() == group && !before(i, best.back())) continue;
      if (best.size() == group) best.pop_back();
      best.insert(std::upper_bound(best.begin(), best.end(), i, before), i);
    }
    return best;
  }

  void descend() {
    while (best_) {
      const std::size_t from = *best_;
      nest::for_each_neighbour(space_.choices(), from, [this](std::size_t to) { try_choice(to); });
      if (*best_ == from) break;
    }
  }

  void try_choice(std::size_t choice) {
    if (tried_[choice] || !goes_on()) return;
    tried_[choice] = true;
    if (space_.branch_bound(choice) >= least_) return;
    const auto run = space_.open(choice, HostStorage(memory_));
    if (!run) return;
    const double bound = run->tightened(std::min(least_, first_limit * run->least_open()), table_work());
    spend(1 + run->counts().expanded);
    if (left_ == 0 || bound >= least_) return;  // without work left, the bound may lack the table
    least_ = bound;
    best_ = choice;
    path_.push_back(choice);
  }

  void map_last(std::size_t count) {
    for (std::size_t k = 0; k < count && k < path_.size(); ++k) find_mapping(path_[path_.size() - 1 - k]);
  }

  // Seeks a mapping little above the bound of its choice, by a dive and a beam. The lower their cut, the
  // fewer rows are counted, which takes most of the time.
  void find_mapping(std::size_t choice) {
    for (const double margin : {1.01, 1.1, 1.5, 4.0, no_cost}) {
      if (!goes_on()) return;
      const auto run = space_.open(choice, HostStorage(memory_));
      if (!run) return;
      const double bound = run->tightened(std::min(cost_, 2 * least_), table_work());
      const double cut = std::min(cost_, margin * bound);
      if (bound >= cost_) return;
      run->dive(cut, {.work = most_expansions, .stop = &stop_});
      if (run->best_cost() >= cut) run->beam(beam_width, cut, {.work = most_expansions, .stop = &stop_});
      spend(1 + run->counts().expanded);
      if (run->best_cost() < cut) {
        cost_ = run->best_cost();
        found_ = Solution{cost_, choice, run->solution()};
        return;
      }
      if (cut == cost_) return;
    }
  }

  Space& space_;
  MemoryBudget& memory_;
  const StopSignal& stop_;
  std::uint64_t left_;  // work left
  double cost_;         // only mappings that cost less are sought
  std::optional<Solution> found_;
  double least_ = no_cost;           // least bound of this descent so far
  std::optional<std::size_t> best_;  // choice with this bound
  std::vector<std::size_t> path_;    // all best choices of this descent so far
  std::vector<bool> tried_;
};

}  // namespace

bool ChoiceDescent::supports(const Space& space) {
  return nestor::pim::JointTable::supports(space.problem());
}

std::optional<Solution> ChoiceDescent::improve(const Solution* best, std::uint64_t work) {
  if (best == nullptr || work < least_work || !supports(space_)) return std::nullopt;
  const std::size_t samples = std::min<std::size_t>(work / work_per_sample, space_.branch_count());
  return Descent(space_, memory_, best->cost, work, stop_).attempt(samples);
}

std::uint64_t ChoiceDescent::construct(double cutoff, std::uint64_t work, const Improved& improved) {
  return Descent(space_, memory_, cutoff, work, stop_).construct(improved);
}

}  // namespace nestor::mapper::pim

#include "heuristics/pim/first_mapping.h"

#include <algorithm>
#include <cmath>
#include <queue>
#include <vector>

#include "heuristics/pim/priority_nest.h"
#include "model/loopnest/spatial_factors.h"
#include "solver/search/concepts.h"

namespace nestor::pim {
namespace {

// Returns the bits that the lanes read and write per step at the boundary of their innermost memories. Data
// that lanes share is counted once.
double bits_per_step(const PimProblem& problem, const SpatialFactors& spatial) {
  double bits = 0;
  const PimMachine& machine = problem.machine;
  for (const Operand operand : all_operands) {
    std::size_t source = machine.innermost(operand);
    while (!machine.memories[--source].operands.contains(operand)) continue;
    const Extents extents = extents_below(machine, machine.memories[source], spatial);
    bits += static_cast<double>(whole_bits(problem.layer, operand, extents));
  }
  return bits;
}

// Spatial choices in ascending order of their bounds, which are refined when a choice reaches the front.
// Small differences between bounds on energy are insignificant, so among choices with similar bounds, the one
// with the fewest steps comes first.
class Ranking {
 public:
  Ranking(const PimProblem& problem, const ChoiceList& choices, const RefinedBound& refine,
          const StopSignal* stop)
      : problem_(problem), refine_(refine), stop_(stop) {
    for (std::size_t i = 0; i < choices.count() && !is_requested(stop); ++i)
      queue_.push({.bound = choices.bound(i),
                   .rank = rank_of(choices.bound(i)),
                   .steps = problem.follows_energy() ? choices.steps(i) : 0,
                   .bits = bits_per_step(problem, choices.spatial(i)),
                   .choice = i,
                   .refined = !refine});
  }

  struct Candidate {
    double bound;
    double rank;
    Int steps;
    double bits;
    std::size_t choice;
    bool refined;
    // The greatest entry comes first in the queue.
    bool operator<(const Candidate& other) const {
      if (rank != other.rank) return rank > other.rank;
      if (steps != other.steps) return steps > other.steps;
      return bits != other.bits ? bits > other.bits : choice > other.choice;
    }
  };

  // Returns the next choice, or nothing if none is left. Only a limited number of bounds is refined; all
  // further choices are skipped.
  std::optional<Candidate> next() {
    while (!queue_.empty() && !is_requested(stop_)) {
      Candidate first = queue_.top();
      queue_.pop();
      if (first.refined) return first;
      if (refined_ == most_refined) {
        leaves_out_ = true;
        continue;
      }
      ++refined_;
      first.bound = std::max(first.bound, refine_(first.choice));
      first.rank = rank_of(first.bound);
      first.refined = true;
      if (first.bound < no_cost) queue_.push(first);
    }
    return std::nullopt;
  }

  bool leaves_out() const { return leaves_out_; }

 private:
  static constexpr std::size_t most_refined = 256;
  double rank_of(double bound) const {
    return problem_.follows_energy() && bound > 0 ? std::floor(std::log(bound) / std::log(1.25)) : bound;
  }

  const PimProblem& problem_;
  const RefinedBound& refine_;
  const StopSignal* stop_;
  std::priority_queue<Candidate> queue_;
  std::size_t refined_ = 0;
  bool leaves_out_ = false;
};

class Tries {
 public:
  Tries(const PimProblem& problem, const ChoiceList& choices, const FirstMappingLimits& limits,
        const RefinedBound& refine)
      : problem_(problem),
        choices_(choices),
        limits_(limits),
        ranking_(problem, choices, refine, limits.stop),
        enough_(limits.enough) {}

  // Searches a few choices thoroughly. If the result is not good enough, tries more choices with a short
  // climb, which improves faster than placement by priorities.
  std::optional<FirstMapping> run() {
    std::uint64_t left = limits_.evaluations;
    for (std::size_t tries = limits_.tries; tries > 0 && left > 0; --tries)
      if (const auto taken = next(left / tries, false); taken)
        left -= std::min(left, *taken);
      else
        return best_;
    for (std::size_t brief_climbs = limits_.brief_climbs; brief_climbs > 0; --brief_climbs)
      if (!next(limits_.judgements_of_a_glance, true)) break;
    return best_;
  }
  std::uint64_t evaluations() const { return evaluations_; }

 private:
  // Tries the next choice and returns the number of evaluations, or nothing if no choice can be better.
  std::optional<std::uint64_t> next(std::uint64_t evaluations, bool brief) {
    if (best_ && best_->cost <= enough_) return std::nullopt;
    const auto candidate = ranking_.next();
    if (!candidate || candidate->bound >= (best_ ? best_->cost : limits_.cutoff)) return std::nullopt;
    if (!begun_ && !ranking_.leaves_out())
      enough_ = std::max(enough_, candidate->bound);  // no choice can cost less
    begun_ = true;
    const ClimbLimits share{.enough = enough_, .evaluations = evaluations, .brief = brief};
    std::uint64_t taken = 0;
    const bool nests =
        limits_.method == FirstMethod::both ? !brief : limits_.method == FirstMethod::priorities;
    if (nests) taken += take(priority_nest, candidate->choice, share);
    if (limits_.method == FirstMethod::priorities || (best_ && best_->cost <= enough_)) return taken;
    return taken + take(climb, candidate->choice, share);
  }

  template <typename Method>
  std::uint64_t take(Method method, std::size_t choice, const ClimbLimits& share) {
    const auto spatial = choices_.spatial(choice);
    const auto found = method(problem_, spatial, share, choice);
    if (!found) return 0;
    evaluations_ += found->evaluations;
    if (!best_ || found->cost < best_->cost)
      best_ = FirstMapping{.mapping = found->mapping, .cost = found->cost, .choice = choice};
    return found->evaluations;
  }

  const PimProblem& problem_;
  const ChoiceList& choices_;
  const FirstMappingLimits& limits_;
  Ranking ranking_;
  double enough_;
  bool begun_ = false;
  std::uint64_t evaluations_ = 0;
  std::optional<FirstMapping> best_;
};

}  // namespace

std::optional<FirstMapping> first_mapping(const PimProblem& problem, const ChoiceList& choices,
                                          const FirstMappingLimits& limits, const RefinedBound& refine) {
  Tries tries(problem, choices, limits, refine);
  auto best = tries.run();
  if (best) best->evaluations = tries.evaluations();
  return best;
}

}  // namespace nestor::pim

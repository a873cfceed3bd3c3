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

  std::optional<FirstMapping> run() {
    std::uint64_t left = limits_.nests;
    for (std::size_t tries = limits_.tries; tries > 0 && left > 0; --tries) {
      const auto built = next(left / tries);
      if (!built) break;
      left -= std::min(left, *built);
    }
    if (best_) best_->nests = limits_.nests - left;
    return best_;
  }

 private:
  // Tries the next choice and returns the number of loop nests, or nothing if no choice can be better.
  std::optional<std::uint64_t> next(std::uint64_t nests) {
    if (best_ && best_->cost <= enough_) return std::nullopt;
    const auto candidate = ranking_.next();
    if (!candidate || candidate->bound >= (best_ ? best_->cost : limits_.cutoff)) return std::nullopt;
    if (!begun_ && !ranking_.leaves_out())
      enough_ = std::max(enough_, candidate->bound);  // no choice can cost less
    begun_ = true;
    const auto found =
        priority_nest(problem_, choices_.spatial(candidate->choice), enough_, nests, candidate->choice);
    if (!found) return 0;
    if (!best_ || found->cost < best_->cost)
      best_ = FirstMapping{.mapping = found->mapping, .cost = found->cost, .choice = candidate->choice};
    return found->nests;
  }

  const PimProblem& problem_;
  const ChoiceList& choices_;
  const FirstMappingLimits& limits_;
  Ranking ranking_;
  double enough_;
  bool begun_ = false;
  std::optional<FirstMapping> best_;
};

}  // namespace

std::optional<FirstMapping> first_mapping(const PimProblem& problem, const ChoiceList& choices,
                                          const FirstMappingLimits& limits, const RefinedBound& refine) {
  return Tries(problem, choices, limits, refine).run();
}

}  // namespace nestor::pim

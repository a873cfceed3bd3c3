#include "heuristics/cim/annealing/nest_annealer.h"

#include <bit>

#include "base/random.h"

namespace nestor::cim {
namespace {

// Temperatures are shares of the current cost. The steps between them are equally long and cool by the same
// factor.
constexpr double first_temperature = 0.3;
constexpr int steps = 64;
constexpr double cooling = 0.925;                  // the last temperature is 0.2 % of the cost
constexpr std::uint64_t tries_per_evaluation = 8;  // about half of all changes are invalid
constexpr std::uint64_t tries_per_poll = 1024;     // take a few milliseconds at most

// Returns a random number whose distribution is close to the exponential distribution of mean 1.
double exponential(Random& random) {
  const auto halvings = static_cast<double>(std::countl_zero(random.next() | 1U));
  return 0.69 * (halvings + random.unit());
}

}  // namespace

bool anneal(const CimProblem& problem, const Annealing& annealing, Mapping& best, Cost& cost) {
  const NestMoves moves(problem);
  Random random(annealing.seed);
  Mapping current = best;
  Cost current_cost = moves.cost_of(current);
  bool improved = false;
  double temperature = first_temperature;
  for (int step = 0; step < steps; ++step, temperature *= cooling) {
    std::uint64_t left = annealing.evaluations / steps;
    for (std::uint64_t tries = left * tries_per_evaluation; tries > 0 && left > 0; --tries) {
      if (tries % tries_per_poll == 0 && is_requested(annealing.stop)) return improved;
      Mapping trial = current;
      if (!moves.change(random.below(moves.change_count(current)), trial)) continue;
      --left;
      const Cost found = moves.cost_of(trial);
      if (found == no_cost || found > current_cost * (1 + temperature * exponential(random))) continue;
      current = trial;
      current_cost = found;
      if (found >= cost) continue;
      best = trial;
      cost = found;
      improved = true;
    }
  }
  return improved;
}

}  // namespace nestor::cim

#include "solver/simplex/timed_solve.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace nestor::simplex {

LpSolution solve_within(Simplex solver, double seconds) {
  if (std::isinf(seconds)) {
    solver.solve();
    return solver.solution();
  }
  constexpr std::uint64_t first_stretch = 200;
  constexpr std::uint64_t share_of_the_work = 4;
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  std::uint64_t iterations = 0;
  LpSolution solution;
  do {
    solver.options().iteration_limit = std::max(first_stretch, iterations / share_of_the_work);
    solver.solve();
    solution = solver.solution();
    iterations += solution.iterations;
  } while (solution.status == LpStatus::iteration_limit &&
           std::chrono::duration<double>(Clock::now() - begin).count() < seconds);
  solution.iterations = iterations;
  return solution;
}

}  // namespace nestor::simplex

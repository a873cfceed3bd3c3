// Comparison of the bundled simplex with CLP on the same programs: pivots first, then time (the least of
// several runs). Each program is solved from a cold start. Programs like those of Nestor's bounds are also
// solved from a warm start after the change of one column bound.
//   simplex_speed [FAMILY]...     default: all but the slow ones;  "all": everything
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <string_view>
#include <vector>

#include "solver/simplex/clp_arrays.h"
#include "solver/simplex/generators.h"
#include "solver/simplex/simplex.h"

namespace nestor::simplex {
namespace {

// Clock of processor time, since both solvers run in one thread and the machine may be busy.
struct Clock {
  using time_point = std::clock_t;
  static time_point now() { return std::clock(); }
};

struct Timing {
  double seconds = infinity;
  double pivots = 0;
  double objective = 0;
  const char* status = "";
};

double since(Clock::time_point start) {
  return static_cast<double>(Clock::now() - start) / static_cast<double>(CLOCKS_PER_SEC);
}

// Returns the shortest of several timings. Repeats the run until a tenth of a second has passed, at most 50
// times.
template <typename Run>
Timing least_of_several(const Run& run) {
  Timing best;
  const Clock::time_point begin = Clock::now();
  for (int round = 0; round < 50 && (round == 0 || since(begin) < 0.1); ++round) {
    const Timing timing = run();
    if (timing.seconds < best.seconds) best = timing;
  }
  return best;
}

Timing time_ours(const LinearProgram& program) {
  return least_of_several([&] {
    const auto start = Clock::now();
    Simplex simplex(program);
    const auto status = simplex.solve();
    const auto& solution = simplex.solution();
    return Timing{since(start), static_cast<double>(solution.iterations), solution.objective,
                  to_string(status)};
  });
}

#ifdef NESTOR_TEST_CLP
// Measures CLP with its own choice of algorithm and presolve ("initial"), or its plain dual simplex.
Timing time_clp(const LinearProgram& program, bool initial) {
  const ClpArrays arrays(program);
  return least_of_several([&] {
    const auto start = Clock::now();
    Clp_Simplex* model = arrays.model();
    initial ? Clp_initialSolve(model) : Clp_dual(model, 0);
    const Timing timing{since(start), static_cast<double>(Clp_numberIterations(model)),
                        Clp_objectiveValue(model), Clp_status(model) == 0 ? "optimal" : "not optimal"};
    Clp_deleteModel(model);
    return timing;
  });
}
#endif

void compare(std::string_view name, const LinearProgram& program) {
  const Timing ours = time_ours(program);
  fmt::print("{:<22}{:>8}{:>8}{:>9}  {:<9}{:>9.0f}{:>11.2f}", name, program.rows(), program.columns(),
             program.entries(), ours.status, ours.pivots, 1e3 * ours.seconds);
#ifdef NESTOR_TEST_CLP
  const Timing dual = time_clp(program, false);
  const Timing initial = time_clp(program, true);
  const double best = std::min(dual.seconds, initial.seconds);
  fmt::print(
      "{:>9.0f}{:>11.2f}{:>9.0f}{:>11.2f}{:>8.2f}{}", dual.pivots, 1e3 * dual.seconds, initial.pivots,
      1e3 * initial.seconds, ours.seconds / best,
      std::abs(ours.objective - dual.objective) <= 1e-6 * (1 + std::abs(dual.objective)) ? "" : "  DIFFERS");
#endif
  fmt::print("\n");
}

// Fixes and releases one binary column at a time, as a search does.
void warm(std::string_view name, const LinearProgram& program, Index binaries) {
  Random random(4);
  Simplex simplex(program);
  simplex.solve();
  constexpr int changes = 400;
  double pivots = 0;
  const auto start = Clock::now();
  for (int change = 0; change < changes; ++change) {
    const auto j = static_cast<Index>(random.below(binaries));
    simplex.set_column_bounds(j, random.chance(0.5) ? Interval{0, 0} : Interval{1, 1});
    simplex.solve();
    pivots += static_cast<double>(simplex.solution().iterations);
    simplex.set_column_bounds(j, {0, 1});
    simplex.solve();
    pivots += static_cast<double>(simplex.solution().iterations);
  }
  const double ours = since(start) / (2 * changes);
  fmt::print("{:<22}{:>8}{:>8}   mean pivots{:>6.2f}   {:>8.1f} us", name, program.rows(), program.columns(),
             pivots / (2 * changes), 1e6 * ours);
#ifdef NESTOR_TEST_CLP
  Random again(4);
  Clp_Simplex* model = ClpArrays(program).model();
  Clp_dual(model, 0);
  const auto clp_start = Clock::now();
  double clp_pivots = 0;
  for (int change = 0; change < changes; ++change) {
    const auto j = again.below(binaries);
    const double fixed = again.chance(0.5) ? 0 : 1;
    Clp_columnLower(model)[j] = Clp_columnUpper(model)[j] = fixed;
    Clp_dual(model, 0);
    clp_pivots += Clp_numberIterations(model);
    Clp_columnLower(model)[j] = 0;
    Clp_columnUpper(model)[j] = 1;
    Clp_dual(model, 0);
    clp_pivots += Clp_numberIterations(model);
  }
  const double theirs = since(clp_start) / (2 * changes);
  fmt::print("   CLP: mean pivots{:>6.2f}   {:>8.1f} us   ratio {:.2f}", clp_pivots / (2 * changes),
             1e6 * theirs, ours / theirs);
  Clp_deleteModel(model);
#endif
  fmt::print("\n");
}

void run(std::string_view family) {
  const auto wanted = [family](std::string_view name) { return family == name || family == "all"; };
  if (wanted("bound"))
    for (const Index groups : {4U, 8U, 16U, 32U, 64U})
      compare(fmt::format("bound-like {}", groups), bound_like_program(groups, 1));
  if (wanted("medium")) {
    compare("transport 30x60", transport_program(30, 60, 1));
    compare("staircase 20x15", staircase_program(20, 15, 1));
    compare("multicommodity 20", multicommodity_program(20, 60, 8, 1));
    compare("blending 40x10", blending_program(40, 10, 1));
    compare("covering 200x600", covering_program(200, 600, 1));
  }
  if (wanted("large")) {
    compare("transport 100x300", transport_program(100, 300, 1));
    compare("staircase 60x40", staircase_program(60, 40, 1));
    compare("multicommodity 60", multicommodity_program(60, 200, 25, 1));
    compare("covering 1500x5000", covering_program(1500, 5000, 1));
  }
  if (wanted("huge")) {
    compare("staircase 250x60", staircase_program(250, 60, 1));
    compare("multicommodity 150", multicommodity_program(150, 500, 60, 1));
  }
  if (wanted("warm"))
    for (const Index groups : {4U, 8U, 16U, 32U})
      warm(fmt::format("warm bound-like {}", groups), bound_like_program(groups, 1), 6 * groups);
}

}  // namespace
}  // namespace nestor::simplex

int main(int count, char** arguments) {
  fmt::print("{:<22}{:>8}{:>8}{:>9}  {:<9}{:>9}{:>11}{:>9}{:>11}{:>9}{:>11}{:>8}\n", "program", "rows",
             "columns", "entries", "status", "pivots", "ms", "CLP dual", "ms", "CLP init", "ms", "ratio");
  std::vector<std::string_view> families(arguments + 1, arguments + count);
  if (families.empty()) families = {"bound", "medium", "warm"};
  for (const auto family : families) nestor::simplex::run(family);
  return 0;
}

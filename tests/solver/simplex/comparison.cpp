#include "solver/simplex/comparison.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "solver/simplex/exact.h"
#include "solver/simplex/generators.h"
#include "solver/simplex/references.h"

namespace nestor::simplex {

// The certificate of the primal's first phase combines several rows. One dual pass finds a certificate with a
// single row.
bool exact_arithmetic_confirms(const Simplex& simplex) {
  if (exact_check_holds(simplex.program(), simplex.solution(), simplex.basis())) return true;
  Simplex again(simplex.program());
  again.set_basis(simplex.basis());
  return again.solve() == simplex.solution().status &&
         exact_check_holds(again.program(), again.solution(), again.basis());
}

namespace {

bool agrees(const ReferenceAnswer& reference, const LpSolution& solution) {
  if (reference.status != solution.status) return false;
  if (solution.status != LpStatus::optimal) return true;
  return std::abs(reference.objective - solution.objective) <= 1e-7 * (1 + std::abs(reference.objective));
}

struct Tally {
  int solved = 0;
  int arbitrated = 0;
};

void check_range(std::uint64_t first, std::uint64_t last, SimplexMethod method, Tally& tally) {
  for (std::uint64_t seed = first; seed < last; ++seed) {
    SimplexOptions options;
    options.method = method;
    Simplex simplex(random_program(seed), options);
    const LpStatus status = simplex.solve();
    ASSERT_NE(status, LpStatus::numerical_trouble) << "seed " << seed;
    ++tally.solved;
    const auto glpk = solve_with_glpk(simplex.program());
    const auto clp = solve_with_clp(simplex.program());
    if (glpk && agrees(*glpk, simplex.solution()) && clp && agrees(*clp, simplex.solution())) continue;
    ++tally.arbitrated;
    EXPECT_TRUE(exact_arithmetic_confirms(simplex))
        << "seed " << seed << ": ours " << to_string(status) << " " << simplex.solution().objective
        << ", GLPK " << (glpk ? to_string(glpk->status) : "absent") << " " << (glpk ? glpk->objective : 0)
        << ", CLP " << (clp ? to_string(clp->status) : "absent") << " " << (clp ? clp->objective : 0);
  }
}

std::pair<std::uint64_t, std::uint64_t> range_to_test(std::uint64_t count) {
  unsigned long long first = 0;
  unsigned long long last = count;
  if (const char* text = std::getenv("NESTOR_LP_SEEDS")) {
    char* rest = nullptr;
    first = std::strtoull(text, &rest, 10);
    last = *rest == ':' ? std::strtoull(rest + 1, nullptr, 10) : first + 1;
  }
  return {first, last};
}

}  // namespace

void compare_random_programs(std::uint64_t count) {
  const bool references = solve_with_glpk(LinearProgram()) && solve_with_clp(LinearProgram());
  if (!references)
    GTEST_SKIP() << "libglpk-dev and coinor-libclp-dev were not found when the tests were configured";
  const auto [first, last] = range_to_test(count);
  Tally tally;
  check_range(first, last, SimplexMethod::dual, tally);
  check_range(first, last, SimplexMethod::primal, tally);
  fmt::print("{} solves, {} decided by exact arithmetic\n", tally.solved, tally.arbitrated);
}

}  // namespace nestor::simplex

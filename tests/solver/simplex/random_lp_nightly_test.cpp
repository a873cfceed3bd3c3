// Test that compares the simplex solver with GLPK and CLP on ten thousand random programs.
#include <gtest/gtest.h>

#include "solver/simplex/comparison.h"

namespace nestor::simplex::random_lp_nightly_test {
namespace {

TEST(RandomPrograms, TenThousandAgreeWithGlpkAndClp) { compare_random_programs(10000); }

}  // namespace
}  // namespace nestor::simplex::random_lp_nightly_test

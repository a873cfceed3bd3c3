// Tests of the readers of MPS and LP files: all sections, and the conventions for bounds, ranges, names and
// terms.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/lp/lp_model.h"
#include "solver/simplex/simplex.h"

namespace nestor::io::read_test {
namespace {

using simplex::infinity;
using simplex::Interval;
using ::testing::ElementsAre;

constexpr std::string_view free_mps = R"(* a comment
NAME small
OBJSENSE
    MAX
ROWS
 N  profit
 L  wood
 G  orders
 E  balance
 N  unused
COLUMNS
 table profit 30 wood 4
 table orders 1
 MARKER 'MARKER' 'INTORG'
 chair profit 12.5 wood 1.5
 chair balance 1
 MARKER 'MARKER' 'INTEND'
 stock balance -1 unused 3
RHS
 RHS wood 120 orders 2
 RHS profit -7
RANGES
 RNG wood 100
BOUNDS
 UP BND table 25
 MI BND stock
 UP BND stock -1
ENDATA
)";

bool same(const Interval& a, const Interval& b) { return a.lower == b.lower && a.upper == b.upper; }

TEST(Mps, ReadsEverySectionOfAFreeFile) {
  const auto model = parse_mps(free_mps, "small.mps");
  ASSERT_TRUE(model) << model.error().to_string();
  EXPECT_EQ(model->name, "small");
  EXPECT_TRUE(model->maximize);
  EXPECT_EQ(model->objective_name, "profit");
  EXPECT_THAT(model->column_names, ElementsAre("table", "chair", "stock"));
  EXPECT_THAT(model->row_names, ElementsAre("wood", "orders", "balance"));
  EXPECT_THAT(model->integer, ElementsAre(false, true, false));
  const auto& program = model->program;
  EXPECT_EQ(program.offset(), 7);
  EXPECT_EQ(program.cost(1), 12.5);
  EXPECT_TRUE(same(program.row_bounds(0), {20, 120}));
  EXPECT_TRUE(same(program.row_bounds(1), {2, infinity}));
  EXPECT_TRUE(same(program.row_bounds(2), {0, 0}));
  EXPECT_TRUE(same(program.column_bounds(0), {0, 25}));
  EXPECT_TRUE(same(program.column_bounds(2), {-infinity, -1}));
  EXPECT_EQ(program.entries(), 5U);
}

TEST(Mps, ReadsFixedColumnsWithBlanksInNames) {
  constexpr std::string_view text =
      "NAME          FIXED\n"
      "ROWS\n"
      " N  COST\n"
      " G  NEED ONE\n"
      "COLUMNS\n"
      "    COL A     COST               2.0   NEED ONE           1.0\n"
      "    COL B     NEED ONE           4.0\n"
      "RHS\n"
      "    RHS       NEED ONE           8.0\n"
      "BOUNDS\n"
      " UP BND       COL B              1.5\n"
      "ENDATA\n";
  const auto model = parse_mps(text, "fixed.mps");
  ASSERT_TRUE(model) << model.error().to_string();
  EXPECT_THAT(model->column_names, ElementsAre("COL A", "COL B"));
  simplex::Simplex simplex(model->minimisation());
  ASSERT_EQ(simplex.solve(), simplex::LpStatus::optimal);
  EXPECT_NEAR(simplex.solution().objective, 4, 1e-9);
}

TEST(Mps, RangesOfEqualitiesFollowTheirSign) {
  constexpr std::string_view text =
      "ROWS\n N o\n E up\n E down\n G g\nCOLUMNS\n x up 1 down 1\n x g 1\nRHS\n r up 3 down 3\n r g 1\n"
      "RANGES\n r up 2 down -2\n r g -4\nENDATA\n";
  const auto model = parse_mps(text, "ranges.mps");
  ASSERT_TRUE(model) << model.error().to_string();
  EXPECT_TRUE(same(model->program.row_bounds(0), {3, 5}));
  EXPECT_TRUE(same(model->program.row_bounds(1), {1, 3}));
  EXPECT_TRUE(same(model->program.row_bounds(2), {1, 5}));
}

TEST(Mps, BoundsFollowTheOldConventions) {
  constexpr std::string_view text =
      "ROWS\n N o\nCOLUMNS\n a o 1\n b o 1\n c o 1\n d o 1\n e o 1\n f o 1\nBOUNDS\n UP a -3\n LO b 1\n UP b "
      "2\n"
      " FX c 4\n FR d\n BV e\n UP f 1e30\nENDATA\n";
  const auto model = parse_mps(text, "bounds.mps");
  ASSERT_TRUE(model) << model.error().to_string();
  const auto& program = model->program;
  EXPECT_TRUE(same(program.column_bounds(0), {-infinity, -3}));
  EXPECT_TRUE(same(program.column_bounds(1), {1, 2}));
  EXPECT_TRUE(same(program.column_bounds(2), {4, 4}));
  EXPECT_TRUE(same(program.column_bounds(3), {-infinity, infinity}));
  EXPECT_TRUE(same(program.column_bounds(4), {0, 1}));
  EXPECT_TRUE(same(program.column_bounds(5), {0, infinity}));
  EXPECT_TRUE(model->integer[4]);
}

TEST(LpFormat, ReadsEverySection) {
  constexpr std::string_view text = R"(\ a comment
Maximize
 profit: 30 table + 12.5 chair - 3 stock + 7
Subject To
 wood: 20 <= 4 table + 1.5 chair <= 120
 orders: table >= 2 \ another
 chair - stock = 0
 3 <= table + chair
Bounds
 table <= 25
 -inf <= stock <= -1
 chair free
General
 chair
Binary
 flag
End
)";
  const std::string with_flag = std::string(text).replace(text.find("+ 7"), 3, "+ 0 flag + 7");
  const auto model = parse_lp(with_flag, "small.lp");
  ASSERT_TRUE(model) << model.error().to_string();
  EXPECT_TRUE(model->maximize);
  EXPECT_THAT(model->column_names, ElementsAre("table", "chair", "stock", "flag"));
  EXPECT_THAT(model->row_names, ElementsAre("wood", "orders", "R3", "R4"));
  const auto& program = model->program;
  EXPECT_EQ(program.offset(), 7);
  EXPECT_TRUE(same(program.row_bounds(0), {20, 120}));
  EXPECT_TRUE(same(program.row_bounds(2), {0, 0}));
  EXPECT_TRUE(same(program.row_bounds(3), {3, infinity}));
  EXPECT_TRUE(same(program.column_bounds(0), {0, 25}));
  EXPECT_TRUE(same(program.column_bounds(1), {-infinity, infinity}));
  EXPECT_TRUE(same(program.column_bounds(2), {-infinity, -1}));
  EXPECT_TRUE(same(program.column_bounds(3), {0, 1}));
  EXPECT_THAT(model->integer, ElementsAre(false, true, false, true));
}

TEST(LpFormat, NumbersMayTouchNamesAndExponentsNeedDigits) {
  const auto model = parse_lp("min\n 3x + 2e - 1.5e2y\nst\n c: x + e + y => 1\nend\n", "touch.lp");
  ASSERT_TRUE(model) << model.error().to_string();
  EXPECT_THAT(model->column_names, ElementsAre("x", "e", "y"));
  EXPECT_EQ(model->program.cost(1), 2);
  EXPECT_EQ(model->program.cost(2), -150);
}

TEST(LpFormat, TermsOfOneColumnAddUp) {
  const auto model = parse_lp("min\n x + x\nst\n c: x + 2 x - y + y >= 6\nend\n", "sum.lp");
  ASSERT_TRUE(model) << model.error().to_string();
  simplex::Simplex simplex(model->minimisation());
  ASSERT_EQ(simplex.solve(), simplex::LpStatus::optimal);
  EXPECT_NEAR(simplex.solution().objective, 4, 1e-12);
}

TEST(LpModel, MaximisationNegatesCosts) {
  const auto model = parse_mps(free_mps, "small.mps");
  ASSERT_TRUE(model);
  EXPECT_EQ(model->minimisation().cost(0), -30);
  EXPECT_EQ(model->minimisation().offset(), -7);
}

}  // namespace
}  // namespace nestor::io::read_test

// Tests that linear programs are read back unchanged from MPS and LP files, and that invalid names are
// replaced.
#include <gtest/gtest.h>

#include <filesystem>

#include "io/files.h"
#include "io/lp/gzip.h"
#include "io/lp/lp_model.h"
#include "solver/simplex/generators.h"

namespace nestor::io::round_trip_test {
namespace {

using simplex::Entry;
using simplex::Index;

LpModel named(simplex::LinearProgram program, std::uint64_t seed) {
  LpModel model;
  model.name = "round_trip";
  model.maximize = seed % 3 == 0;
  model.program = std::move(program);
  model.program.set_offset(seed % 4 == 0 ? 0.1 * static_cast<double>(seed) : 0);
  for (Index j = 0; j < model.program.columns(); ++j) {
    model.column_names.push_back("x_" + std::to_string(j));
    model.integer.push_back((seed + j) % 5 == 0);
  }
  for (Index i = 0; i < model.program.rows(); ++i) model.row_names.push_back("row." + std::to_string(i));
  return model;
}

std::vector<Entry> sorted(std::span<const Entry> entries) {
  std::vector<Entry> result(entries.begin(), entries.end());
  simplex::sum_duplicates(result);
  return result;
}

void expect_same(const LpModel& a, const LpModel& b, bool ranges_exact) {
  ASSERT_EQ(a.column_names, b.column_names);
  ASSERT_EQ(a.row_names, b.row_names);
  EXPECT_EQ(a.integer, b.integer);
  EXPECT_EQ(a.maximize, b.maximize);
  EXPECT_EQ(a.program.offset(), b.program.offset());
  for (Index j = 0; j < a.program.columns(); ++j) {
    EXPECT_EQ(a.program.cost(j), b.program.cost(j));
    EXPECT_EQ(a.program.column_bounds(j).lower, b.program.column_bounds(j).lower);
    EXPECT_EQ(a.program.column_bounds(j).upper, b.program.column_bounds(j).upper);
    const auto left = sorted(a.program.column(j));
    const auto right = sorted(b.program.column(j));
    ASSERT_EQ(left.size(), right.size());
    for (std::size_t k = 0; k < left.size(); ++k) {
      EXPECT_EQ(left[k].index, right[k].index);
      EXPECT_EQ(left[k].value, right[k].value);
    }
  }
  for (Index i = 0; i < a.program.rows(); ++i) {
    const auto& x = a.program.row_bounds(i);
    const auto& y = b.program.row_bounds(i);
    if (ranges_exact) {
      EXPECT_EQ(x.lower, y.lower);
      EXPECT_EQ(x.upper, y.upper);
    } else {
      EXPECT_DOUBLE_EQ(x.lower, y.lower);
      EXPECT_DOUBLE_EQ(x.upper, y.upper);
    }
  }
}

TEST(RoundTrip, BothFormatsPreserveRandomPrograms) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    const LpModel model = named(simplex::random_program(seed), seed);
    const auto mps = parse_mps(mps_text(model), "written.mps");
    ASSERT_TRUE(mps) << mps.error().to_string() << "\n" << mps_text(model);
    expect_same(model, *mps, false);
    const auto lp = parse_lp(lp_text(model), "written.lp");
    ASSERT_TRUE(lp) << lp.error().to_string() << "\n" << lp_text(model);
    expect_same(model, *lp, true);
  }
}

TEST(RoundTrip, NamesThatAFormatCannotExpressAreReplaced) {
  LpModel model = named(simplex::transport_program(2, 2, 1), 1);
  model.column_names = {"x 1", "free", "e12", "3x"};
  model.row_names[0] = "st";
  const auto lp = parse_lp(lp_text(model), "written.lp");
  ASSERT_TRUE(lp) << lp.error().to_string();
  EXPECT_EQ(lp->column_names[1], "C2");
  EXPECT_EQ(lp->row_names[0], "R1");
  const auto mps = parse_mps(mps_text(model), "written.mps");
  ASSERT_TRUE(mps) << mps.error().to_string();
  EXPECT_EQ(mps->column_names[0], "C1");
  EXPECT_EQ(mps->row_names[0], "st");
}

TEST(RoundTrip, PreservesProgramsInGzippedFiles) {
  const auto folder = std::filesystem::temp_directory_path() / "nestor_lp_round_trip";
  std::filesystem::create_directories(folder);
  const LpModel model = named(simplex::staircase_program(6, 5, 1), 7);
  for (const char* name : {"a.mps", "a.lp", "a.mps.gz", "a.lp.gz"}) {
    const auto path = folder / name;
    const auto failed = write_lp_model(path, model);
    ASSERT_FALSE(failed) << failed->to_string();
    const auto content = read_file(path);
    ASSERT_TRUE(content);
    EXPECT_EQ(is_gzip(*content), path.extension() == ".gz");
    const auto back = read_lp_model(path);
    ASSERT_TRUE(back) << back.error().to_string();
    expect_same(model, *back, true);
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace nestor::io::round_trip_test

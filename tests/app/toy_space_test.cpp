// Tests of the toy loop-nest space (toy_space.h). The tool's verbs work with a table of spaces that contains
// only the toy space. For layers whose operands depend on any set of dimensions, its optimum equals the
// minimum over all inside factors.
#include "toy_space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "app/command_line.h"
#include "base/random.h"

namespace nestor::toy::toy_space_test {
namespace {

static_assert(NestBranch<Branch>);
static_assert(SearchSpace<ToySpace>);

// Returns the least cost over all inside factors; nullopt if no tiles fit the buffer.
std::optional<Int> least_of_all(const LayerShape& layer, const ToyMachine& machine,
                                Inside inside = unit_extents, std::size_t d = 0) {
  if (d == dim_count) return evaluate(layer, machine, inside) ? replay(layer, machine, inside) : std::nullopt;
  std::optional<Int> least;
  for (inside[d] = 1; inside[d] <= layer.bounds[d]; ++inside[d]) {
    if (layer.bounds[d] % inside[d] != 0) continue;
    const auto here = least_of_all(layer, machine, inside, d + 1);
    if (here && (!least || *here < *least)) least = here;
  }
  return least;
}

LayerShape random_layer(Random& random) {
  LayerShape layer;
  for (Int& bound : layer.bounds) bound = 1 + static_cast<Int>(random.below(4));
  for (Int& stride : layer.stride) stride = 1 + static_cast<Int>(random.below(2));
  if (random.below(3) == 0) layer.relevance = Relevance::elementwise();
  if (random.below(3) == 0)
    for (DimSet& dims : layer.relevance.dims) dims.erase(all_dims[random.below(dim_count)]);
  return layer;
}

TEST(ToySpaceSearch, FindsTheOptimumOfAllSplits) {
  std::uint64_t infeasible = 0;
  std::uint64_t searched = 0;  // cases whose optimum is better than the first solution
  std::uint64_t split = 0;     // cases whose optimum is neither all inside nor all outside
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const LayerShape layer = random_layer(random);
    const ToyMachine machine =
        make_machine(10 + static_cast<Int>(random.below(random.below(10) == 0 ? 20 : 2000)));
    const auto outcome = map_layer(layer, machine);
    const auto least = least_of_all(layer, machine);
    ASSERT_EQ(outcome.status, least ? Status::optimal : Status::infeasible);
    infeasible += static_cast<std::uint64_t>(!least);
    if (!least) continue;
    const Inside& inside = outcome.best.front().solution;
    EXPECT_EQ(outcome.best.front().cost, static_cast<double>(*least));
    EXPECT_EQ(evaluate(layer, machine, inside), least);
    EXPECT_EQ(replay(layer, machine, inside), least);
    searched += static_cast<std::uint64_t>(evaluate(layer, machine, first_inside(layer, machine)) > least);
    split += static_cast<std::uint64_t>(inside != layer.bounds && inside != unit_extents);
  }
  EXPECT_GT(infeasible, 5);
  EXPECT_GT(searched, 50);
  EXPECT_GT(split, 50);
}

class ToySpace : public ::testing::Test {
 protected:
  ToySpace()
      : folder_(std::filesystem::temp_directory_path() / ("nestor-toy-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
    write("machine.yaml", "name: tiny\nkind: toy\nbuffer: 800\n");
    write("layers.yaml",
          "name: two\nlayers:\n  - {name: a, dims: {K: 12, C: 10}}\n  - {name: b, dims: {K: 7, C: 3}}\n");
    spaces_.assign(app::shipped_spaces().begin(), app::shipped_spaces().end());
    spaces_.push_back(row);
  }
  ~ToySpace() override { std::filesystem::remove_all(folder_); }

  std::string file(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(file(name)) << text; }
  /// Runs the tool and returns its output and its exit status.
  std::pair<std::string, int> run(std::vector<std::string> words) const {
    words.insert(words.begin(), "nestor");
    std::vector<const char*> arguments;
    for (const auto& word : words) arguments.push_back(word.c_str());
    ::testing::internal::CaptureStdout();
    ::testing::internal::CaptureStderr();
    const int status = app::run_tool(arguments, spaces_);
    return {::testing::internal::GetCapturedStdout() + ::testing::internal::GetCapturedStderr(), status};
  }

 private:
  std::filesystem::path folder_;
  std::vector<app::Space> spaces_;
};

using ::testing::HasSubstr;
using ::testing::Pair;

TEST_F(ToySpace, WorksWithEveryVerb) {
  const auto mapped =
      run({"map", file("layers.yaml"), "--arch", file("machine.yaml"), "--json", file("result.json")});
  EXPECT_THAT(mapped, Pair(HasSubstr("K 6, C 10"), 0));
  for (const auto* verb : {"evaluate", "simulate", "show"})
    EXPECT_EQ(run({verb, file("result.json")}), mapped) << verb;
  EXPECT_THAT(run({"verify", file("result.json")}), Pair("confirmed\n", 0));
  EXPECT_THAT(run({"show", file("machine.yaml")}), Pair("tiny: 800 bits\n", 0));
  EXPECT_THAT(run({"show", file("result.json"), "--json"}), Pair(HasSubstr("\"bits\": "), 0));
}

TEST_F(ToySpace, RefusesForgedIllegalAndUnknownInputs) {
  EXPECT_THAT(run({"map", file("layers.yaml"), "--arch", "miredo-table4", "--threads", "1"}),
              Pair(HasSubstr("miredo-table4"), 0));
  constexpr auto result = R"({{"schema": "nestor.toy/1", "space": "toy",
    "machine": {{"name": "t", "buffer": 800}},
    "layers": [{{"layer": {{"name": "a", "dims": {{"K": 12, "C": 10}}}}, "inside": [1, 12, {}, 1, 1, 1, 1, 1],
                "bits": 70}}]}})";
  write("forged.json", fmt::format(result, 1));
  EXPECT_THAT(run({"verify", file("forged.json")}), Pair("NOT confirmed\n", 7));
  write("illegal.json", fmt::format(result, 3));
  EXPECT_THAT(run({"evaluate", file("illegal.json")}), Pair(HasSubstr("tiles do not divide the layer"), 3));
  write("other.yaml", "kind: tory\n");
  EXPECT_THAT(run({"map", "x", "--arch", file("other.yaml")}), Pair(HasSubstr("did you mean 'toy'?"), 3));
  EXPECT_THAT(run({"schedule", "x", "--rows", "4"}), Pair(HasSubstr("no such file"), 3));
}

}  // namespace
}  // namespace nestor::toy::toy_space_test

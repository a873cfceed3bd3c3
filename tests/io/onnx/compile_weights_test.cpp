// Tests of the tool on ONNX models with weights. It calibrates a model, writes it, runs it on images and
// compares the results with the reference. If the weights are unreadable, it uses seeded weights and prints a
// remark.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/in_process.h"
#include "filled_model.h"
#include "io/chip/npy.h"
#include "io/files.h"

namespace nestor::tests::compile_weights_test {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::StartsWith;

class CompileWeights : public ::testing::Test {
 protected:
  CompileWeights() : folder_(fs::temp_directory_path() / ("nestor-weights-" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
  }
  ~CompileWeights() override { fs::remove_all(folder_); }

  std::string path(const char* name) const { return (folder_ / name).string(); }

  void write_model(const bench::ModelOptions& options) const {
    auto model = example_model("vgg7", options);
    if (options.weights == bench::WeightStorage::described) fill(model, 5);
    std::ofstream(path("model.onnx"), std::ios::binary) << model.SerializeAsString();
  }

  // Writes two images of integers that both the float run and the quantised run accept.
  void write_images(Int extent) const {
    std::vector<Int> values;
    for (Int i = 0; i < 2 * 3 * extent * extent; ++i) values.push_back(i * 37 % 255 - 127);
    std::ofstream(path("images.npy"), std::ios::binary) << io::npy_of(values, {2, 3, extent, extent}, 8);
  }

  app::HostedResult run(io::Verb verb, const std::vector<std::pair<const char*, std::string>>& given,
                        const char* input) {
    io::RunOptions options;
    options.inputs = {path(input)};
    for (const auto& [name, text] : given) EXPECT_FALSE(io::set_option(options, verb, name, text)) << name;
    return app::run_in_process(verb, options, {stop_}, app::shipped_spaces());
  }

  std::atomic<bool> stop_ = false;

 private:
  fs::path folder_;
};

TEST_F(CompileWeights, AreCalibratedWrittenAndRunLikeTheReference) {
  constexpr Int extent = 8;
  write_model({.image = extent});
  write_images(extent);
  const auto compiled = run(
      io::Verb::compile,
      {{"arch", "isaac-table3"}, {"calibrate", path("images.npy")}, {"output", path("p.txt")}}, "model.onnx");
  ASSERT_TRUE(compiled.end) << compiled.end.error().to_string();
  EXPECT_TRUE(nlohmann::json::parse(compiled.json).contains("model_weights"));
  EXPECT_THAT(io::read_head(path("p.txt.weights"), 32), StartsWith("nestor-weights 1\n"));

  const auto ran = run(io::Verb::simulate,
                       {{"functional", ""},
                        {"input", path("images.npy")},
                        {"output", path("out.npy")},
                        {"reference", ""},
                        {"network", path("model.onnx")}},
                       "p.txt");
  ASSERT_TRUE(ran.end) << ran.end.error().to_string();
  EXPECT_GT(nlohmann::json::parse(ran.json).at("equal_to_reference").get<Int>(), 0) << ran.json;
  const auto made = io::read_npy(path("out.npy"));
  ASSERT_TRUE(made) << made.error().to_string();
  EXPECT_EQ(made->shape.front(), 2);
}

TEST_F(CompileWeights, AreNotWrittenWhereCalibrationIsStopped) {
  write_model({.image = 8});
  write_images(8);
  stop_ = true;
  const auto stopped = run(
      io::Verb::compile,
      {{"arch", "isaac-table3"}, {"calibrate", path("images.npy")}, {"output", path("p.txt")}}, "model.onnx");
  EXPECT_THAT(stopped.remarks,
              ::testing::Contains(StartsWith("stopped during the calibration of the float graph")));
  EXPECT_FALSE(fs::exists(path("p.txt")));
}

TEST_F(CompileWeights, AreSeededWhereTheDataOfAModelCannotBeRead) {
  write_model({.weights = bench::WeightStorage::external, .image = 8});
  const auto compiled =
      run(io::Verb::compile, {{"arch", "isaac-table3"}, {"output", path("p.txt")}}, "model.onnx");
  ASSERT_TRUE(compiled.end) << compiled.end.error().to_string();
  EXPECT_THAT(compiled.remarks, ElementsAre(StartsWith("seeded weights in the program: node ")));
  EXPECT_TRUE(fs::exists(path("p.txt")));
  EXPECT_FALSE(fs::exists(path("p.txt.weights")));
  const auto asked =
      run(io::Verb::compile, {{"arch", "isaac-table3"}, {"per-tensor", ""}, {"output", path("q.txt")}},
          "model.onnx");
  ASSERT_FALSE(asked.end);
  EXPECT_THAT(asked.end.error().message, ::testing::HasSubstr("external data"));
}

}  // namespace
}  // namespace nestor::tests::compile_weights_test

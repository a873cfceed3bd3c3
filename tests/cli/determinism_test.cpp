// Tests that the output of nestor map is the same for any number of threads and any executor, and that of
// nestor schedule for any number of threads. The outputs are compared byte for byte, without times.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "bench/netlists/generate.h"
#include "io/netlist/netlist_writer.h"
#include "places.h"

namespace nestor::determinism_test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// Removes values that may differ: times, and the options that are varied, including the output file.
void normalise(Json& node) {
  if (node.is_object()) {
    for (const char* key : {"seconds", "threads", "executor", "json"}) node.erase(key);
    for (auto& [key, value] : node.items()) normalise(value);
  } else if (node.is_array()) {
    for (auto& value : node) normalise(value);
  }
}

std::string result_of(const std::string& task) {
  static int count = 0;
  const auto file = fs::temp_directory_path() /
                    ("nestor-same-" + std::to_string(::getpid()) + "-" + std::to_string(count++) + ".json");
  const auto command = "NESTOR_DATA='" NESTOR_SOURCE_DIR "/data' '" NESTOR_TOOL "' " + task + " --json '" +
                       file.string() + "' >/dev/null 2>&1";
  const int status = std::system(command.c_str());
  EXPECT_TRUE(status == 0 || WEXITSTATUS(status) == 1) << command;
  std::ifstream in(file);
  auto json = Json::parse(in, nullptr, false);
  fs::remove(file);
  EXPECT_FALSE(json.is_discarded()) << command;
  normalise(json);
  return json.dump(1);
}

class MapDeterminism : public ::testing::TestWithParam<const char*> {};

// Compares the results of ten runs with different numbers of threads and different executors.
TEST_P(MapDeterminism, OverThreadsAndExecutors) {
  const std::string task = "map " + std::string(GetParam());
  const auto expected = result_of(task + " --threads 1");
  EXPECT_NE(expected.find("\"objective\""), std::string::npos);
  for (const char* variant : {" --threads 2", " --threads 4", " --threads 2 --executor std-thread",
                              " --threads 4 --executor std-thread", " --executor serial", " --threads 1",
                              " --threads 2", " --threads 4", " --threads 4"})
    EXPECT_EQ(result_of(task + variant), expected) << variant;
}

INSTANTIATE_TEST_SUITE_P(
    Tasks, MapDeterminism,
    ::testing::Values("mlperf-tiny-resnet8 --arch miredo-table4 --objective eq14 --latency-model miredo",
                      "mlperf-tiny-dscnn --arch miredo-default --objective pareto",
                      "mlperf-tiny-resnet8 --arch miredo-table4 --objective edp",
                      "mlperf-tiny-dscnn --arch miredo-default --top 3",
                      "resnet18 --arch miredo-table4 --objective energy --work-limit 300",
                      "mlperf-tiny-autoencoder --arch miredo-table4 --pad 10"));

class ScheduleDeterminism : public ::testing::TestWithParam<const char*> {};

TEST_P(ScheduleDeterminism, OverThreads) {
  const auto file = fs::temp_directory_path() / ("nestor-same-" + std::to_string(::getpid()) + ".v");
  const auto netlist = bench::generate("multiplier", {.width = 6});
  ASSERT_TRUE(netlist.ok());
  ASSERT_FALSE(io::write_netlist(file.string(), *netlist));
  const std::string task = "schedule '" + file.string() + "' --rows 16 " + GetParam();
  const auto expected = result_of(task + " --threads 1");
  EXPECT_NE(expected.find("\"copies_by_cause\""), std::string::npos);
  for (const char* variant : {" --threads 1", " --threads 2", " --threads 4", " --threads 4"})
    EXPECT_EQ(result_of(task + variant), expected) << variant;
  fs::remove(file);
}

INSTANTIATE_TEST_SUITE_P(Tasks, ScheduleDeterminism,
                         ::testing::Values("--work-limit 2000000", "--work-limit 2000000 --workers 3",
                                           "--method exact --work-limit 20000",
                                           "--method masim --work-limit 20000",
                                           "--method star --work-limit 20000"));

}  // namespace
}  // namespace nestor::determinism_test

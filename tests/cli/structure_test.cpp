// Tests of every verb on files that the tool wrote and whose structure was then changed (emptied lists,
// dropped or doubled entries, objects without keys, extreme numbers). The files remain well-formed JSON. Each
// run must end with a defined exit status, never by a signal or an internal error. The fast suite tries a few
// changes for each file; NESTOR_ALL_STRUCTURES=1 tries many.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/random.h"
#include "places.h"

namespace nestor::structure_test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct Written {
  std::string name;
  std::string by;                    ///< command that writes the file, without --json FILE
  std::vector<std::string> readers;  ///< commands that read the file, with @ for its name
};

std::vector<Written> written_files() {
  const std::string chip = "--arch isaac-table3";
  return {
      {"cim_machine", "show tiny-embedded", {"map net.yaml --arch @ --work-limit 20", "show @"}},
      {"pim_machine", "show pim-default", {"map net.yaml --arch @ --work-limit 20", "show @"}},
      {"cnm_machine", "show upmem", {"map gemv.mlir --arch @ --work-limit 20", "show @"}},
      {"chip_machine", "show isaac-table3", {"compile vgg7 --arch @ --work-limit 20", "show @"}},
      {"layers",
       "show mlperf-tiny-resnet8",
       {"map @ --arch tiny-embedded --work-limit 20", "map @ --arch pim-default --work-limit 5", "show @"}},
      {"chip_network", "show chip.yaml", {"compile @ " + chip + " --work-limit 20", "show @"}},
      {"cim_result", "map net.yaml --arch tiny-embedded", {"verify @", "evaluate @", "simulate @", "show @"}},
      {"cim_list", "map net.yaml --arch tiny-embedded --top 2", {"verify @", "evaluate @", "show @"}},
      {"cim_front", "map net.yaml --arch tiny-embedded --objective pareto", {"verify @", "show @"}},
      {"cim_evaluated", "evaluate r.json", {"verify @", "evaluate @", "simulate @"}},
      {"pim_result",
       "map net.yaml --arch pim-default --work-limit 50",
       {"verify @", "evaluate @", "simulate @", "show @"}},
      {"cnm_result", "map gemv.mlir --arch upmem", {"verify @", "evaluate @", "simulate @", "show @"}},
      {"chip_result",
       "compile chip.yaml " + chip,
       {"verify @", "evaluate @", "simulate @", "simulate @ --functional", "show @"}},
      {"schedule_result", "schedule gates.v --rows 4", {"verify @", "show @"}},
  };
}

// Returns JSON pointers to all values of a document.
std::vector<Json::json_pointer> places_of(const Json& document) {
  std::vector<Json::json_pointer> places;
  const auto walk = [&](const auto& self, const Json& at, const Json::json_pointer& path) -> void {
    places.push_back(path);
    if (at.is_object())
      for (const auto& [key, value] : at.items()) self(self, value, path / key);
    if (at.is_array())
      for (std::size_t i = 0; i < at.size(); ++i) self(self, at[i], path / i);
  };
  walk(walk, document, Json::json_pointer());
  return places;
}

// Changes the value at `place` and returns a description of the change.
std::string change(Json& document, const Json::json_pointer& place, Random& random) {
  Json& at = document[place];
  if (!place.empty() && random.chance(0.25)) {
    Json& above = document[place.parent_pointer()];
    if (above.is_object())
      above.erase(place.back());
    else
      above.erase(static_cast<std::size_t>(std::stoul(place.back())));
    return "dropped";
  }
  if (at.is_array() && !at.empty() && random.chance(0.3)) {
    at.push_back(Json(at[random.below(at.size())]));
    return "an entry twice";
  }
  if (at.is_array()) return at = Json::array(), "emptied";
  if (at.is_object()) return at = Json::object(), "emptied";
  if (at.is_string()) return at = "", "emptied";
  static const std::vector<Json> numbers = {0, -1, 1, 2147483648LL, 9223372036854775807LL, 0.5, 1e300};
  at = numbers[random.below(numbers.size())];
  return "is " + at.dump();
}

class Structures : public ::testing::TestWithParam<Written> {
 protected:
  void SetUp() override {
    place_ = fs::temp_directory_path() / ("nestor-structures-" + std::to_string(::getpid()));
    fs::create_directories(place_);
    write("net.yaml",
          "name: net\nlayers:\n  - {name: a, dims: {K: 8, C: 8, P: 4, Q: 4, R: 3, S: 3}}\n"
          "  - {name: b, dims: {K: 4, C: 8}, repeat: 2}\n");
    write("gates.v",
          "module t(a, b, c, y, z); input a, b, c; output y, z; assign y = a ^ b ^ c; "
          "assign z = a & b; endmodule\n");
    write("chip.yaml",
          "name: n\nkind: chip-network\ninputs: [{name: input, rows: 4, width: 2, channels: 4}]\n"
          "operators:\n  - {name: a, kind: array, rows: 2, width: 2, channels: 3, in_channels: 4, "
          "row_in: 16, matrix: {rows: 4, columns: 3}, inputs: [{from: input, need: [2, 0, 1]}]}\n");
    write(
        "gemv.mlir",
        "builtin.module {\n  func.func @gemv(%0: memref<64x256xi32>, %1: memref<256xi32>, %2: "
        "memref<64xi32>) "
        "{\n    linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> "
        "(d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = [\"parallel\", \"reduction\"]} ins(%0, %1 : "
        "memref<64x256xi32>, memref<256xi32>) outs(%2 : memref<64xi32>) {\n    ^bb0(%3: i32, %4: i32, %5: "
        "i32):\n      %6 = arith.muli %3, %4 : i32\n      %7 = arith.addi %6, %5 : i32\n      linalg.yield "
        "%7 : i32\n    }\n    func.return\n  }\n}\n");
    run("map net.yaml --arch tiny-embedded --json r.json");
  }
  void TearDown() override { fs::remove_all(place_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(place_ / name, std::ios::binary) << text;
  }
  // Runs the tool with limited time and memory. Returns its exit status, or 128 plus the number of the signal
  // that killed it.
  int run(const std::string& arguments) const {
    const auto command = "cd '" + place_.string() +
                         "' && ulimit -t 20; ulimit -v 4000000; ulimit -c 0; NESTOR_DATA='" NESTOR_SOURCE_DIR
                         "/data' '" NESTOR_TOOL "' " +
                         arguments + " >said 2>&1 </dev/null";
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  std::string said() const {
    std::ifstream in(place_ / "said");
    return std::string(std::istreambuf_iterator<char>(in), {}).substr(0, 400);
  }

  fs::path place_;
};

TEST_P(Structures, ChangedFilesAreReadOrRefused) {
  const Written& file = GetParam();
  ASSERT_LE(run(file.by + " --json written.json"), 1) << said();
  std::ifstream in(place_ / "written.json");
  const Json whole = Json::parse(in, nullptr, false);
  ASSERT_FALSE(whole.is_discarded());
  const auto filled = [](std::string command) {
    return command.replace(command.find('@'), 1, "changed.json");
  };
  write("changed.json", whole.dump());
  for (const auto& reader : file.readers) EXPECT_LE(run(filled(reader)), 1) << reader << ": " << said();
  const auto places = places_of(whole);
  const std::size_t changes = std::getenv("NESTOR_ALL_STRUCTURES") != nullptr ? 400 : 12;
  Random random(7);
  for (std::size_t i = 0; i < changes; ++i) {
    Json changed = whole;
    const auto& place = places[random.below(places.size())];
    const auto what = change(changed, place, random);
    write("changed.json", changed.dump());
    for (const auto& reader : file.readers) {
      const int status = run(filled(reader));
      EXPECT_TRUE(status < 128 && status != 5) << reader << " ends with " << status << " where "
                                               << place.to_string() << ' ' << what << ": " << said();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Files, Structures, ::testing::ValuesIn(written_files()),
                         [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace nestor::structure_test

// Results with one thing changed, dropped, doubled or exchanged between layers. verify rejects each, or names
// what was changed as not checked. The cases are drawn from all that there are; NESTOR_FORGED_RESULTS says
// how many of each result.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "base/random.h"
#include "io/layer_file.h"
#include "report/verify/file_check.h"

namespace nestor {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr auto machine_text = R"(name: small
hierarchy:
  - memory: {name: dram, operands: [I, W, O], bandwidth: 16, read_energy: 2, write_energy: 2.5}
  - memory: {name: buffer, operands: [I, O], capacity: 1 KiB, bandwidth: 32, double_buffer: true, read_energy: 0.5, write_energy: 0.5}
  - memory: {name: array, operands: [W], capacity: 2048, bandwidth: 32}
  - memory: {name: lines, operands: [I], capacity: 256, bandwidth: 32}
  - memory: {name: sums, operands: [O], capacity: 256, bandwidth: 32}
  - spatial: {name: row, size: 8, dims: [C, R, S]}
  - spatial: {name: column, size: 4, dims: [K]}
compute: {mvm_cycles: 4, mac_energy: 0.25}
)";
constexpr auto layers_text = R"(name: toy
layers:
  - {name: conv, dims: {K: 8, C: 8, P: 6, Q: 6}, stride: [2, 1], bits: {I: 8, W: 8, O: 8, psum: 24}}
  - {name: again, dims: {K: 8, C: 8, P: 6, Q: 6}, stride: [2, 1], repeat: 2, bits: {I: 8, W: 8, O: 8, psum: 24}}
  - {name: dense, dims: {K: 12, C: 40}, bits: {I: 8, W: 8, O: 8, psum: 24}}
unmapped: [{type: Relu, count: 3}]
)";

/// A change of a document: what was done, to which keys ("layers[].search.nodes").
struct Forgery {
  std::string deed;
  std::string path;
  Json document;
};

// Every place of a document, as a JSON pointer, and by its keys alone.
struct Place {
  Json::json_pointer at;
  std::string path;
};
void collect(const Json& node, const Place& here, std::vector<Place>& places) {
  if (node.is_object())
    for (const auto& [key, value] : node.items()) {
      const Place next{here.at / key, here.path.empty() ? key : here.path + "." + key};
      places.push_back(next);
      collect(value, next, places);
    }
  if (node.is_array())
    for (std::size_t i = 0; i < node.size(); ++i) {
      const Place next{here.at / i, here.path + "[]"};
      places.push_back(next);
      collect(node[i], next, places);
    }
}

Json changed(const Json& value, Random& random) {
  if (value.is_boolean()) return !value.get<bool>();
  if (value.is_number_integer()) return value.get<std::int64_t>() + (random.below(2) == 0 ? 1 : -1);
  if (value.is_number()) return value.get<double>() * (random.below(2) == 0 ? 2.0 : 0.5);
  const std::vector<std::string> words = {"optimal", "infeasible", "time_limit", "energy", "latency",
                                          "miredo",  "zzz",        "0.0.9",      "conv",   "simulate"};
  return words[random.below(words.size())];
}

// Nothing if the place does not lend itself to the deed.
std::optional<Forgery> forge(const Json& original, const std::vector<Place>& places, Random& random) {
  const Place& place = places[random.below(places.size())];
  Forgery forgery{"", place.path, original};
  const auto parent = place.at.parent_pointer();
  Json& holder = forgery.document[parent];
  Json& value = forgery.document[place.at];
  switch (random.below(4)) {
    case 0:
      if (value.is_structured()) return std::nullopt;
      forgery.deed = "changed";
      value = changed(value, random);
      break;
    case 1:
      forgery.deed = "dropped";
      if (holder.is_array())
        holder.erase(std::stoul(place.at.back()));
      else
        holder.erase(place.at.back());
      break;
    case 2:
      if (!holder.is_array()) return std::nullopt;
      forgery.deed = "doubled";
      holder.push_back(Json(value));
      break;
    default: {
      const auto text = place.at.to_string();
      if (!text.starts_with("/layers/0/")) return std::nullopt;
      const Json::json_pointer other("/layers/2" + text.substr(std::string("/layers/0").size()));
      if (!forgery.document.contains(other)) return std::nullopt;
      forgery.deed = "exchanged";
      std::swap(value, forgery.document[other]);
    }
  }
  return forgery;
}

class ForgedResults : public ::testing::TestWithParam<const char*> {
 protected:
  ForgedResults() : folder_(fs::temp_directory_path() / ("nestor-forged-" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
    fs::current_path(folder_);
    std::ofstream("machine.yaml") << machine_text;
    std::ofstream("layers.yaml") << layers_text;
  }
  ~ForgedResults() override {
    fs::current_path(fs::temp_directory_path());
    fs::remove_all(folder_);
  }

  static io::Result<io::ResultCheck> check(const Json& document) {
    return io::check_result_file(
        document.dump(), "result.json",
        [](const std::string& name, const io::RunResult&) { return io::read_layers(name); });
  }

 private:
  fs::path folder_;
};

// Whether "layers[].search (...)" names the changed place, or what it stands in.
bool is_named(const std::vector<std::string>& not_checked, const std::string& path) {
  const auto covers = [&](std::string_view entry) {
    return !entry.empty() && path.starts_with(entry) &&
           (path.size() == entry.size() || path[entry.size()] == '.' || path[entry.size()] == '[');
  };
  return std::any_of(not_checked.begin(), not_checked.end(), [&](const std::string& entry) {
    auto list = entry.substr(0, std::min(entry.find(" ("), entry.find(" of ")));
    std::erase_if(list, [](char c) { return c >= '0' && c <= '9'; });  // "inputs[2]"
    for (std::size_t begin = 0; begin <= list.size();) {
      const auto end = std::min(list.find(", ", begin), list.size());
      if (covers(std::string_view(list).substr(begin, end - begin))) return true;
      begin = end + 2;
    }
    return false;
  });
}

TEST_P(ForgedResults, AreRejectedOrWhatIsForgedIsNamed) {
  const std::string command =
      std::string("'" NESTOR_TOOL "' ") + GetParam() + " --json result.json >/dev/null";
  ASSERT_LE(WEXITSTATUS(std::system(command.c_str())), 1) << command;
  std::ifstream in("result.json");
  const auto original = Json::parse(in);
  const auto honest = check(original);
  ASSERT_TRUE(honest) << honest.error().to_string();
  for (const auto& finding : honest->findings) ADD_FAILURE() << finding;

  std::vector<Place> places;
  collect(original, Place{Json::json_pointer(), ""}, places);
  const char* const asked = std::getenv("NESTOR_FORGED_RESULTS");
  const std::size_t wanted = asked != nullptr ? std::stoul(asked) : 100;
  constexpr std::uint64_t seed = 14;
  Random random(seed);
  std::map<std::string, int> deeds;
  std::size_t rejected = 0;
  const auto meaning = [](const Json& document) {
    const auto run = io::parse_result(document.dump(), "result.json");
    return run ? io::result_to_json(*run).dump() : run.error().to_string();
  };
  const auto original_meaning = meaning(original);
  for (std::size_t count = 0; count < wanted;) {
    auto forgery = forge(original, places, random);
    if (!forgery || forgery->document == original) continue;
    const auto verdict = check(forgery->document);
    const bool is_rejected = !verdict || !verdict->findings.empty();
    // Defaults written out, the same layer's twin: nothing is claimed that was not.
    if (!is_rejected && meaning(forgery->document) == original_meaning) continue;
    ++count;
    ++deeds[forgery->deed];
    rejected += is_rejected ? 1U : 0U;
    EXPECT_TRUE(is_rejected || is_named(verdict->not_checked, forgery->path))
        << forgery->deed << " " << forgery->path << " passes (seed " << seed << ")";
  }
  EXPECT_GE(deeds.size(), 4U);
  EXPECT_GE(rejected, wanted / 2) << "verify knows hardly anything";
}

INSTANTIATE_TEST_SUITE_P(
    OfRuns, ForgedResults,
    ::testing::Values("map layers.yaml --arch machine.yaml --explain --top 3",
                      "map layers.yaml --arch machine.yaml --objective pareto",
                      "map layers.yaml --arch machine.yaml --objective edp --work-limit 2",
                      "map layers.yaml --arch machine.yaml --method sampled"));

}  // namespace
}  // namespace nestor

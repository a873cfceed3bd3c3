// Tests of nestor-check with mutants of proved results. A figure, a word, the mapping, the machine or the
// layer is changed, or the file is truncated. With the proof that a new search writes for the changed
// problem, nestor-check verifies a mutant if and only if its claim is still true according to the search and
// the evaluator. (With smaller memories, the optimum may stay the same.) With the proof of the unchanged
// problem, it verifies no mutant with a false claim. For some mutants, the figures are recomputed, so that
// only optimality can be wrong. NESTOR_MUTANTS sets the number of mutants.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "base/random.h"
#include "support/setting.h"
#include "tool_runs.h"

namespace nestor::mutants_test {
namespace {

using check_cases::Json;
using check_cases::ToolRuns;

bool same(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b)); }

// Multiplies a positive figure by a random factor from 0.25 to 4.
void scale(Random& random, Json& figure) {
  constexpr std::array factors = {0.25, 0.5, 0.999, 1.000001, 1.01, 2.0, 4.0};
  const double factor = factors.at(random.below(factors.size()));
  if (figure.is_number_integer()) {
    const auto old = figure.get<std::int64_t>();
    auto changed = static_cast<std::int64_t>(std::llround(static_cast<double>(old) * factor));
    if (changed == old) changed += factor > 1 ? 1 : -1;
    figure = std::max<std::int64_t>(1, changed);
  } else {
    figure = figure.get<double>() * factor;
  }
}

// Doubles or halves a figure. Integers stay integers.
void double_or_halve(Random& random, Json& figure) {
  const bool larger = random.chance(0.5);
  if (figure.is_number_integer())
    figure =
        std::max<std::int64_t>(1, larger ? figure.get<std::int64_t>() * 2 : figure.get<std::int64_t>() / 2);
  else
    figure = figure.get<double>() * (larger ? 2 : 0.5);
}

// Returns the number under a key in a random object of `list`, or null.
Json* number_in(Random& random, std::vector<Json*> list, const char* key) {
  std::erase_if(list, [&](const Json* object) { return !object->contains(key); });
  return list.empty() ? nullptr : &(*list[random.below(list.size())])[key];
}

class Mutant {
 public:
  Mutant(Json result, Random& random) : result_(std::move(result)), random_(&random) {}

  Json& record() { return result_["layers"][0]; }
  Json& result() { return result_; }

  // Makes one kind of change and returns its description; empty if the change does not apply.
  std::string change(std::size_t kind, const Json& other) {
    switch (kind) {
      case 0:
        return change_figure();
      case 1:
        return reorder_loops();
      case 2:
        return move_block();
      case 3:
        return toggle_buffer();
      case 4:
        return change_memory();
      case 5:
        return change_axis();
      case 6:
        return change_layer();
      case 7:
        return take_from(other);
      default:
        return ask_for_another_objective();
    }
  }

 private:
  std::string change_figure() {
    constexpr std::array keys = {"objective", "lower_bound", "latency_cycles", "energy_pj"};
    const auto* const key = keys.at(random_->below(keys.size()));
    // A stopped run claims only its bound.
    if (key == std::string("lower_bound") && random_->chance(0.5)) record()["status"] = "time_limit";
    scale(*random_, record()[key]);
    return "a figure";
  }
  std::string reorder_loops() {
    auto& loops = record()["mapping"]["temporal"];
    if (loops.size() < 2) return "";
    const auto at = random_->below(loops.size() - 1);
    std::swap(loops[at]["dim"], loops[at + 1]["dim"]);
    std::swap(loops[at]["factor"], loops[at + 1]["factor"]);
    return "two loops";
  }
  std::string move_block() {
    auto& loops = record()["mapping"]["temporal"];
    if (loops.size() < 2) return "";
    const auto at = random_->below(loops.size() - 1);
    constexpr std::array operands = {"I", "W", "O"};
    const auto* const operand = operands.at(random_->below(operands.size()));
    const auto from = random_->below(2);
    loops[at + from]["at"][operand] = loops[at + 1 - from]["at"][operand];
    return "a block";
  }
  std::string toggle_buffer() {
    auto& doubled = record()["mapping"]["double_buffer"];
    if (doubled.empty()) return "";
    doubled.erase(random_->below(doubled.size()));
    return "a double buffer";
  }
  std::vector<Json*> parts(const char* kind) {
    std::vector<Json*> found;
    for (auto& entry : result_["architecture"]["hierarchy"])
      if (entry.contains(kind)) found.push_back(&entry[kind]);
    return found;
  }
  std::string change_memory() {
    constexpr std::array keys = {"capacity", "bandwidth", "read_energy", "write_energy"};
    auto* const number = number_in(*random_, parts("memory"), keys.at(random_->below(keys.size())));
    if (number == nullptr || *number == 0) return "";
    double_or_halve(*random_, *number);
    return "a memory";
  }
  std::string change_axis() {
    auto* const size = number_in(*random_, parts("spatial"), "size");
    if (size == nullptr) return "";
    double_or_halve(*random_, *size);
    return "an axis";
  }
  std::string change_layer() {
    auto& dims = record()["dims"];
    constexpr std::array names = {"K", "C", "P", "Q", "R", "S"};
    auto& bound = dims[names.at(random_->below(names.size()))];
    bound = bound.get<std::int64_t>() == 1 ? 2 : bound.get<std::int64_t>() / 2;
    return "the layer";
  }
  std::string take_from(const Json& other) {
    constexpr std::array keys = {"mapping", "dims", "objective"};
    const auto* const key = keys.at(random_->below(keys.size()));
    record()[key] = other["layers"][0][key];
    return "a part of another layer's";
  }
  std::string ask_for_another_objective() {
    if (random_->chance(0.3)) {
      result_["objective"]["latency_model"] =
          result_["objective"]["latency_model"] == "stall" ? "miredo" : "stall";
      return "the latency model";
    }
    constexpr std::array names = {"latency", "energy", "edp", "eq14"};
    result_["objective"]["name"] = names.at(random_->below(names.size()));
    return "the objective";
  }

  Json result_;
  Random* random_;
};

// Computes the objective (8.1) of docs/models/cim.md from the latency and the sizes, whose keys are
// memory/operand.
double eq14_of(const Json& mutant, double latency, const Json& sizes) {
  std::vector<Json> memories;
  for (const Json& entry : mutant["architecture"]["hierarchy"])
    if (entry.contains("memory")) memories.push_back(entry["memory"]);
  std::set<std::string> with_home;
  double full = 0;
  double counted = 0;
  for (std::size_t m = 0; m < memories.size(); ++m) {
    bool is_home = false;
    for (const Json& operand : memories[m]["operands"])
      is_home |= with_home.insert(operand.get<std::string>()).second;
    if (!is_home && memories[m].contains("capacity"))
      full += static_cast<double>(m) * memories[m]["capacity"].get<double>();
    for (const Json& operand : memories[m]["operands"])
      counted += static_cast<double>(m) *
                 sizes.value(memories[m]["name"].get<std::string>() + "/" + operand.get<std::string>(), 0.0);
  }
  const Json& options = mutant["options"];
  const double mu1 = std::stod(options.value("mu1", "1"));
  const double mu2 = options.contains("mu2") ? std::stod(options["mu2"].get<std::string>()) : 0.001 / full;
  return mu1 * latency - mu2 * counted;
}

struct Honest {
  Json result;
  std::string proof;  ///< path of the proof file
};

class Mutants : public ::testing::Test {
 protected:
  // Returns a result for each distinct layer of several small networks.
  std::vector<Honest> honest() const {
    std::vector<Honest> all;
    for (const auto* const run :
         {"mlperf-tiny-dscnn --arch miredo-table4",
          "mlperf-tiny-resnet8 --arch miredo-default --objective energy",
          "mlperf-tiny-dscnn --arch diana-aimc --objective edp --latency-model miredo",
          "mlperf-tiny-autoencoder --arch miredo-default --objective edp",
          "mlperf-tiny-resnet8 --arch miredo-table4 --objective eq14",
          "mlperf-tiny-dscnn --arch diana-aimc --objective eq14 --mu2 0.002 --latency-model miredo"}) {
      const auto proof = runs_.path(("honest" + std::to_string(all.size())).c_str());
      const Json result = runs_.nestor("map " + std::string(run) + " --proof " + proof);
      for (const Json& layer : result["layers"]) {
        if (layer.contains("same_as")) continue;
        all.push_back({result, proof});
        all.back().result["layers"] = Json::array({layer});
        all.back().result.erase("totals");
        all.back().result["layers"][0].erase("gap");        // depends on the bound, which mutants change
        all.back().result["layers"][0].erase("tie_break");  // mutants also change ties
      }
    }
    return all;
  }

  // Returns the least cost of the mutant's layer on its machine, or nullopt if the search does not prove it.
  // Writes the proof to the file "own".
  std::optional<double> optimum(const Json& mutant) const {
    Json layer = mutant["layers"][0];
    Json asked;
    for (const auto* const key : {"name", "dims", "stride", "dilation", "groups", "bits"})
      if (layer.contains(key)) asked[key] = layer[key];
    std::filesystem::remove(runs_.path("own"));
    runs_.write("layers.json", Json{{"layers", Json::array({asked})}}.dump());
    runs_.write("machine.json", mutant["architecture"].dump());
    std::string weights;
    for (const std::string weight : {"mu1", "mu2"})
      if (mutant["objective"]["name"] == "eq14" && mutant["options"].contains(weight))
        weights += " --" + weight + " " + mutant["options"][weight].get<std::string>();
    const Json result = runs_.nestor(
        "map " + runs_.path("layers.json") + " --arch " + runs_.path("machine.json") + " --objective " +
        mutant["objective"]["name"].get<std::string>() + " --latency-model " +
        mutant["objective"]["latency_model"].get<std::string>() + weights + " --proof " + runs_.path("own"));
    if (result.is_discarded() || result["layers"][0]["status"] != "optimal") return std::nullopt;
    return result["layers"][0]["objective"].get<double>();
  }

  // Returns latency, energy and objective of the mutant's mapping. Returns nullopt if the mapping is invalid
  // or not in the canonical form of results: the evaluator accepts other forms, the checker does not.
  std::optional<std::array<double, 3>> figures(const Json& mutant) const {
    const Json result = runs_.nestor("evaluate " + runs_.write("mutant.json", mutant.dump()));
    if (result.is_discarded()) return std::nullopt;
    const Json& layer = result["layers"][0];
    if (layer["mapping"] != mutant["layers"][0]["mapping"]) return std::nullopt;
    const auto latency = layer["latency_cycles"].get<double>();
    const auto energy = layer["energy_pj"].get<double>();
    const auto objective = mutant["objective"]["name"].get<std::string>();
    return std::array{latency, energy,
                      objective == "latency"  ? latency
                      : objective == "energy" ? energy
                      : objective == "eq14"   ? eq14_of(mutant, latency, layer["evaluation"]["sizes_bits"])
                                              : latency * energy};
  }

  bool is_true(const Json& mutant) const {
    const auto best = optimum(mutant);
    const auto real = figures(mutant);
    if (!best || !real) return false;
    const Json& record = mutant["layers"][0];
    constexpr std::array keys = {"latency_cycles", "energy_pj", "objective"};
    for (std::size_t i = 0; i < keys.size(); ++i)
      if (!same(record[keys.at(i)].get<double>(), real->at(i))) return false;
    const auto bound = record["lower_bound"].get<double>();
    if (record["status"] != "optimal") return bound <= *best * (1 + 1e-9);
    return same(bound, real->at(2)) && same(*best, real->at(2));
  }

  ToolRuns runs_;
};

TEST_F(Mutants, AreVerifiedExactlyIfTheyAreTrue) {
  const auto wanted = tests::setting("NESTOR_MUTANTS", 45);
  const auto originals = honest();
  ASSERT_GT(originals.size(), 20U);
  std::map<std::string, std::array<int, 2>> seen;  // refuted and verified, by kind of change
  Random random(tests::setting("NESTOR_EXACTNESS_SEED", 7));
  for (std::uint64_t made = 0; made < wanted;) {
    const Honest& original = originals[random.below(originals.size())];
    Mutant mutant(original.result, random);
    const auto changed = mutant.change(made % 9, originals[random.below(originals.size())].result);
    if (changed.empty()) continue;
    ++made;
    Json& record = mutant.record();
    if (changed != "a figure" && random.chance(0.6))
      if (const auto real = figures(mutant.result())) {
        record["latency_cycles"] = real->at(0);
        record["energy_pj"] = real->at(1);
        record["edp"] = real->at(0) * real->at(1);
        record["objective"] = record["lower_bound"] = real->at(2);
      }
    const bool truth = is_true(mutant.result());
    std::string said;
    const auto file = mutant.result().dump();
    const bool verified = runs_.check(file, runs_.path("own"), &said) == 0;
    EXPECT_EQ(verified, truth) << changed << '\n' << said << '\n' << file;
    if (!truth) {
      EXPECT_NE(runs_.check(file, original.proof, &said), 0) << changed << '\n' << said << '\n' << file;
    }
    if (HasFailure()) return;
    ++seen[changed].at(verified ? 1 : 0);
  }
  int refuted = 0;
  for (const auto& [changed, counts] : seen) {
    std::printf("%s: %d refuted, %d still true\n", changed.c_str(), counts.at(0), counts.at(1));
    refuted += counts.at(0);
    if (wanted >= 500) {
      EXPECT_GT(counts.at(0), 0) << changed;
    }
  }
  EXPECT_GT(refuted, static_cast<int>(wanted / 4));
}

TEST_F(Mutants, TruncatedFilesProveNothing) {
  const auto original = honest().front();
  const std::string whole = original.result.dump();
  Random random(11);
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(runs_.check(whole.substr(0, random.below(whole.size())), original.proof), 3);
}

}  // namespace
}  // namespace nestor::mutants_test

// Tests that all verbs agree on the cost of a mapping: every verb that prints, writes or replays it gives the
// same number.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "base/random.h"
#include "cli/tool_folder.h"
#include "support/setting.h"

namespace nestor::one_figure_test {
namespace {

using Json = nlohmann::json;

class OneFigure : public ::testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) const { folder_.write(name, text); }
  std::string text(const std::string& name) const { return folder_.text(name); }
  Json json(const std::string& name) const { return Json::parse(text(name), nullptr, false); }

  void run(const std::string& arguments) const {
    ASSERT_EQ(folder_.run(arguments), 0) << arguments << '\n' << text("err") << text("out");
  }
  // Runs a verb and returns its JSON.
  Json json_of(const std::string& arguments, const std::string& file) const {
    run(arguments + " --json " + file);
    return json(file);
  }

  // Expects equal values for keys that both objects have, and at least `least` such keys.
  static void expect_shared(const Json& a, const Json& b, std::size_t least, const std::string& what) {
    std::size_t shared = 0;
    for (const auto& [key, value] : a.items()) {
      if (!b.contains(key)) continue;
      ++shared;
      EXPECT_EQ(value, b[key]) << what << ": " << key;
    }
    EXPECT_GE(shared, least) << what;
  }

  // Compares the result of `nestor map` in r.json with the output of every verb that reads it.
  void expect_same_everywhere(const Json& mapped, const std::string& what) const {
    for (const std::string verb : {"evaluate", "simulate"}) {
      const auto again = json_of(verb + " r.json", "again.json");
      const auto says = what + ", " + verb;
      expect_shared(mapped["totals"], again["totals"], 5, says + ", totals");
      ASSERT_EQ(mapped["layers"].size(), again["layers"].size()) << says;
      for (std::size_t i = 0; i < mapped["layers"].size(); ++i)
        expect_shared(mapped["layers"][i], again["layers"][i], 9, says + ", layer " + std::to_string(i));
    }
    run("verify r.json");
    run("check r.json");
  }

  ToolFolder folder_;
};

// Merges consecutive loops with the same memories into one factor for each dimension. The order of these
// loops does not affect the cost. In an exported program, rows that break symmetries determine the order.
void commute_loops(Json& loops) {
  Json runs = Json::array();
  for (const Json& loop : loops) {
    if (runs.empty() || runs.back()["at"] != loop["at"])
      runs.push_back({{"at", loop["at"]}, {"factors", Json::object()}});
    Json& factor = runs.back()["factors"][loop["dim"].get<std::string>()];
    factor = loop["factor"].get<std::int64_t>() * (factor.is_null() ? 1 : factor.get<std::int64_t>());
  }
  loops = std::move(runs);
}

std::string milliseconds(const Json& figure) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6f ms", figure.get<double>());
  return text.data();
}

struct Figures {
  double latency = 0, energy = 0;
};
Figures totals_of(const Json& result) {
  const auto& totals = result["totals"];
  return {totals["latency_cycles"].get<double>(), totals["energy_pj"].get<double>()};
}

std::string random_layers(Random& random) {
  std::stringstream text;
  text << "name: drawn\nlayers:\n";
  for (int i = 0; i < 3; ++i) {
    const auto draw = [&](int most) {
      return 1 + static_cast<int>(random.below(static_cast<std::uint64_t>(most)));
    };
    text << "  - {name: l" << i << ", repeat: " << draw(3) << ", dims: {K: " << 4 * draw(4)
         << ", C: " << 2 * draw(8) << ", P: " << draw(6) << ", Q: " << draw(6) << ", R: " << draw(3)
         << ", S: " << draw(3) << "}}\n";
  }
  return text.str();
}

TEST_F(OneFigure, AgreesAcrossVerbsForLoopNests) {
  const auto first = tests::setting("NESTOR_FIGURE_SEED", 1);
  for (auto seed = first; seed < first + tests::setting("NESTOR_FIGURE_CASES", 1); ++seed) {
    Random random(seed);
    write("l.yaml", random_layers(random));
    for (const std::string arch : {"miredo-default", "zigzag-dimc", "pim-default"}) {
      Figures best;
      for (const std::string objective : {"latency", "energy", "edp"}) {
        const auto what = "seed " + std::to_string(seed) + ", " + arch + ", " + objective;
        const auto asked = " l.yaml --arch " + arch + " --objective " + objective;
        const auto mapped = json_of("map" + asked + " --no-times", "r.json");
        expect_same_everywhere(mapped, what);
        if (HasFatalFailure()) return;
        const auto totals = totals_of(mapped);
        if (objective == "latency") best.latency = totals.latency;
        if (objective == "energy") best.energy = totals.energy;

        // The exported program states the optimum, and importing its start solution gives the same result.
        if (objective != "edp" && arch == "miredo-default") {
          run("export" + asked + " --layer l0 --start -o one.mps");
          EXPECT_EQ(json("one.json")["optimum"], mapped["layers"][0]["objective"]) << what;
          const auto imported = json_of("import one.sol --model one.json", "i.json");
          auto layer = mapped["layers"][0];
          layer.erase("status");
          auto again = imported["layers"][0];
          commute_loops(layer["mapping"]["temporal"]);
          commute_loops(again["mapping"]["temporal"]);
          expect_shared(layer, again, 9, what + ", import");
        }
        // A sweep over this machine gives rows with the same figures.
        write("plan.yaml", "name: p\nnetworks: [l.yaml]\nmachines: [" + arch +
                               "]\nruns: [{objective: " + objective + "}]\n");
        run("sweep plan.yaml --store :memory: --per-layer --export rows.json");
        const auto rows = json("rows.json")["rows"];
        ASSERT_EQ(rows.size(), mapped["layers"].size()) << what;
        for (std::size_t i = 0; i < rows.size(); ++i)
          for (const char* const key : {"latency_cycles", "energy_pj", "edp"})
            EXPECT_DOUBLE_EQ(rows[i][key].get<double>(), mapped["layers"][i][key].get<double>())
                << what << key;
      }
      // The ends of the layers' fronts add up to the least latency and the least energy of the network. The
      // choice of points for the whole network reaches the least energy.
      const auto whole =
          json_of("map l.yaml --arch " + arch + " --scope network --objective energy", "whole.json");
      double fastest = 0, least_energy = 0;
      for (const auto& layer : whole["layers"]) {
        const auto repeat = layer["repeat"].get<double>();
        fastest += repeat * layer["front"].front()["latency_cycles"].get<double>();
        least_energy += repeat * layer["front"].back()["energy_pj"].get<double>();
      }
      EXPECT_EQ(fastest, best.latency) << arch;
      EXPECT_DOUBLE_EQ(least_energy, best.energy) << arch;
      EXPECT_DOUBLE_EQ(whole["network_optimum"]["energy_pj"].get<double>(), best.energy) << arch;
      EXPECT_DOUBLE_EQ(totals_of(whole).energy, best.energy) << arch;
      run("verify whole.json");
    }
  }
}

TEST_F(OneFigure, AgreesAcrossVerbsForKernels) {
  write("k.mlir",
        "func.func @gemv(%A: memref<256x512xi16>, %x: memref<512xi16>, %y: memref<256xi16>) {\n"
        "  linalg.matvec ins(%A, %x : memref<256x512xi16>, memref<512xi16>) outs(%y : memref<256xi16>)\n"
        "  return\n}\n");
  for (const std::string arch : {"upmem", "hbm-pim"}) {
    const auto mapped = json_of("map k.mlir --arch " + arch + " --no-times", "r.json");
    EXPECT_EQ(mapped["totals"]["time_ms"], mapped["time_ms"]) << arch;
    for (const std::string verb : {"evaluate", "simulate"}) {
      const auto again = json_of(verb + " r.json", "again.json");
      EXPECT_EQ(again["time_ms"], mapped["time_ms"]) << arch << ' ' << verb;
      EXPECT_EQ(again["cycles"], mapped["cycles"]) << arch << ' ' << verb;
      expect_shared(mapped["maps"][0], again["maps"][0], 7, arch + ", " + verb);
    }
    run("verify r.json");
    run("check r.json");
    // If everything runs on this system, the placement takes as long as the mapping of the kernel.
    run("map k.mlir --arch " + arch + ",host --transfers none --json placed.json");
    EXPECT_NE(text("out").find("everything on " + arch + ": " + milliseconds(mapped["time_ms"])),
              std::string::npos)
        << text("out");
  }
}

TEST_F(OneFigure, AgreesAcrossVerbsForChips) {
  for (const std::string objective : {"latency", "energy"}) {
    const auto compiled = json_of(
        "compile vgg7 --arch isaac-table3 --objective " + objective + " --no-times -o p.txt", "r.json");
    const auto evaluated = json_of("evaluate r.json", "again.json");
    EXPECT_EQ(evaluated["evaluation"], compiled["evaluation"]) << objective;
    EXPECT_EQ(evaluated["throughput"], compiled["throughput"]) << objective;
    expect_shared(compiled["totals"], evaluated["totals"], 5, objective);
    const auto& cycles = compiled["evaluation"]["latency_cycles"];
    for (const std::string input : {"r.json", "p.txt"}) {
      const auto simulated = json_of("simulate " + input, "again.json");
      EXPECT_EQ(simulated["replay_cycles"], cycles) << objective << ' ' << input;
      EXPECT_EQ(simulated["peak_crossbars"], compiled["evaluation"]["peak_crossbars"]) << objective;
    }
    EXPECT_EQ(compiled["totals"]["latency_cycles"], cycles);
    EXPECT_EQ(compiled["objective"]["value"],
              objective == "latency" ? cycles : compiled["evaluation"]["energy_pj"]);
    run("verify r.json");
    run("check r.json");
  }
}

TEST_F(OneFigure, AgreesAcrossVerbsForNetlists) {
  write("adder.v",
        "module adder(a, b, c, s, k); input a, b, c; output s, k; wire x;\n"
        "assign x = a ^ b; assign s = x ^ c; assign k = (a & b) | (x & c); endmodule\n");
  for (const std::string method : {"nestor", "masim", "exact"}) {
    auto found = json_of("schedule adder.v --rows 4 --method " + method + " --no-times -o s.txt", "r.json");
    const auto confirmed = json_of("verify r.json", "again.json");
    found.erase("schema");
    expect_shared(found, confirmed, 4, method);
    const auto of_text = json_of("verify s.txt --netlist adder.v", "again.json");
    for (const char* const key : {"copies", "energy", "arrays_used"})
      EXPECT_EQ(of_text[key], confirmed[key]) << method << ' ' << key;
    run("check r.json");
  }
}

}  // namespace
}  // namespace nestor::one_figure_test

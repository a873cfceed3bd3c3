// Long runs of every verb that can be stopped, on the largest shipped inputs and on generated inputs, for
// tests of limits and signals.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/random.h"
#include "bench/netlists/generate.h"
#include "io/netlist/netlist_writer.h"

namespace nestor {

struct HardCase {
  std::string name;
  std::vector<std::string> words;  ///< arguments of the tool; a leading @ stands for the folder of the inputs
  bool representative = false;     ///< true: part of the fast suite
};
inline std::ostream& operator<<(std::ostream& out, const HardCase& of) { return out << of.name; }

inline std::vector<HardCase> hard_cases() {
  std::vector<HardCase> cases;
  const auto add = [&](std::string name, std::vector<std::string> words, bool representative = false) {
    cases.push_back({std::move(name), std::move(words), representative});
  };
  const auto map = [&](std::string name, std::string network, std::string arch, std::vector<std::string> more,
                       bool representative = false) {
    std::vector<std::string> words = {"map", std::move(network), "--arch", std::move(arch), "--threads", "1"};
    words.insert(words.end(), more.begin(), more.end());
    add(std::move(name), std::move(words), representative);
  };
  map("cim_energy", "stress-720", "miredo-table4", {"--objective", "energy"}, true);
  map("cim_edp_list", "stress-720", "miredo-table4", {"--objective", "edp", "--top", "3"});
  map("cim_front", "stress-720", "six-memory", {"--objective", "pareto"});
  map("cim_explain", "resnet101", "six-memory", {"--objective", "energy", "--explain"});
  map("cim_pad", "stress-720", "miredo-table4", {"--pad", "10"});
  map("cim_bounds", "stress-720", "six-memory", {"--bound-only"});
  map("cim_sampled", "stress-720", "six-memory", {"--method", "sampled"});
  map("cim_embedded", "stress-720", "miredo-table4", {"--profile", "embedded"});
  map("pim_energy", "stress-720", "pim-default", {"--objective", "energy"}, true);
  map("pim_front", "resnet101", "pim-hbm", {"--objective", "pareto"});
  map("pim_table", "resnet101", "pim-default", {"--fix-bypass"}, true);
  map("pim_explain", "resnet101", "pim-default", {"--objective", "energy", "--explain"});
  map("pim_sampled", "stress-720", "pim-default", {"--method", "sampled"});
  map("pim_stationary", "stress-720", "pim-default", {"--method", "weight-stationary-greedy"});
  map("cnm_kernel", "@big.mlir", "upmem", {}, true);
  map("cnm_list", "@big.mlir", "upmem", {"--top", "5"});
  map("cnm_all", "@big.mlir", "upmem", {"--all", "@all.csv"});
  map("cnm_explain", "@big.mlir", "upmem", {"--explain"});
  map("cnm_network", "bert-base-128", "upmem", {});
  for (const char* const method :
       {"nestor", "masim", "masim-paper", "gppic", "simpler", "star", "date24", "exact"})
    add(std::string("schedule_") + (method == std::string("masim-paper") ? "masim_paper" : method),
        {"schedule", "@multiplier.v", "--rows", "128", "--method", method, "--threads", "1"},
        method == std::string("nestor"));
  add("lp", {"lp", "@large.lp"}, true);
  add("compile_energy",
      {"compile", "mobilenetv2", "--arch", "puma-fig18", "--objective", "energy", "--threads", "1"}, true);
  add("compile_latency", {"compile", "resnet101", "--arch", "isaac-table3", "--threads", "1"});
  add("compile_peak",
      {"compile", "resnet18", "--arch", "jia-fig17", "--objective", "peak-power", "--threads", "1"});
  return cases;
}

/// Writes a dense linear program that takes the simplex about a minute, a multiplier of 40,000 gates, and a
/// matrix product whose extents have many divisors.
inline void write_hard_inputs(const std::filesystem::path& place) {
  if (const auto netlist = bench::generate("multiplier", {.width = 128}))
    static_cast<void>(io::write_netlist((place / "multiplier.v").string(), *netlist));
  constexpr int rows = 900, columns = 1200;
  Random random(1);
  std::ofstream lp(place / "large.lp");
  lp << "minimize\n obj:";
  for (int j = 0; j < columns; ++j) lp << " + " << 1 + random.below(100) << " x" << j;
  lp << "\nsubject to\n";
  for (int i = 0; i < rows; ++i) {
    lp << " r" << i << ":";
    for (int j = 0; j < columns; ++j)
      if (random.chance(0.3)) lp << " + " << 1 + random.below(1000) << " x" << j;
    lp << " >= " << 1000 + random.below(100000) << "\n";
  }
  lp << "end\n";
  std::ofstream(place / "big.mlir")
      << "builtin.module {\n  func.func @gemm(%0: memref<5040x5040xi32>, %1: memref<5040x5040xi32>, "
         "%2: memref<5040x5040xi32>) {\n    linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, "
         "d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types "
         "= "
         "[\"parallel\", \"parallel\", \"reduction\"]} ins(%0, %1 : memref<5040x5040xi32>, "
         "memref<5040x5040xi32>) outs(%2 : memref<5040x5040xi32>) {\n    ^bb0(%3: i32, %4: i32, %5: i32):\n"
         "      %6 = arith.muli %3, %4 : i32\n      %7 = arith.addi %6, %5 : i32\n      linalg.yield %7 : "
         "i32\n"
         "    }\n    func.return\n  }\n}\n";
}

}  // namespace nestor

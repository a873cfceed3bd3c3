// SPDX-License-Identifier: Apache-2.0
// Estimates several mappings of a kernel and prints the best one. Usage: estimate SYSTEM
#include <array>
#include <iostream>
#include <nestor_cnm.hpp>

constexpr std::string_view kernel =
    "func.func @sum(%a: tensor<65536xi32>, %b: tensor<65536xi32>, %c: tensor<65536xi32>) {\n"
    "  %r = linalg.add ins(%a, %b : tensor<65536xi32>, tensor<65536xi32>)\n"
    "                  outs(%c : tensor<65536xi32>) -> tensor<65536xi32>\n"
    "  return\n"
    "}\n";

int main(int argc, char** argv) {
  const std::string_view system = argc > 1 ? argv[1] : "upmem";
  constexpr std::array<std::string_view, 3> mappings = {"{(1),(64),(16),(64)} block (64)",
                                                        "{(8),(64),(8),(16)} block (16)",
                                                        "{(1),(64),(1),(1024)} block (256)"};
  std::string_view best;
  double least = 0;
  for (const auto mapping : mappings) {
    const auto estimate = nestor::cnm::estimate_text(kernel, system, mapping);
    if (!estimate) {
      std::cerr << estimate.error << '\n';
      return 3;
    }
    std::cout << mapping << ": " << estimate.time_ms << " ms\n";
    if (best.empty() || estimate.time_ms < least) {
      least = estimate.time_ms;
      best = mapping;
    }
  }
  std::cout << "best " << best << '\n';
  return 0;
}

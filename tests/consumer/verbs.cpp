// SPDX-License-Identifier: Apache-2.0
// Example of several verbs, which all return a nestor::Result. Prints costs, shows progress, stops a run, and
// reports an error with its line. Usage: verbs [MACHINE]
#include <iostream>
#include <nestor_run.hpp>
#include <thread>

namespace {

constexpr char kernel[] =
    "func.func @gemv(%A: memref<256x512xi32>, %x: memref<512xi32>, %y: memref<256xi32>) {\n"
    "  linalg.matvec ins(%A, %x : memref<256x512xi32>, memref<512xi32>) outs(%y : memref<256xi32>)\n"
    "  return\n"
    "}\n";
constexpr char adder[] =
    "module adder(a, b, c, sum, carry);\n"
    "  input a, b, c; output sum, carry;\n"
    "  assign sum = a ^ b ^ c; assign carry = (a & b) | (a & c) | (b & c);\n"
    "endmodule\n";

void print(const char* verb, const nestor::Result& result) {
  std::cout << verb << ": " << result.status() << ", objective " << result.objective() << ", bound "
            << result.bound() << ", gap " << result.gap() << '\n';
}

// Maps a network, prints its layers, and passes the result to other verbs.
void map_and_check(const std::string& machine) {
  const auto network = nestor::in_memory(
      "<network>.yaml", "name: net\nlayers: [{name: head, dims: {K: 10, C: 64}, repeat: 2}]\n");
  const auto mapped = nestor::map(network, machine, {{"objective", "energy"}});
  print("map", mapped);
  for (const auto& layer : mapped.layers()) {
    std::cout << "  " << layer.name << " x" << layer.repeat << ": " << layer.mapping << '\n';
    for (const auto& [cause, cycles] : layer.latency_by) std::cout << "  " << cause << ' ' << cycles << '\n';
  }
  const auto costs = nestor::evaluate(mapped);
  for (const auto& [place, energy] : costs.energy_by())
    std::cout << "  " << place << ' ' << energy << " pJ\n";
  std::cout << "  evaluate: " << costs.number("/totals/energy_pj") << " pJ\n";
  std::cout << "verify: " << (nestor::verify(mapped).confirmed() ? "confirmed" : "not confirmed") << '\n';
  mapped.save("mapped.json");
  mapped.save_html("mapped.html", {mapped});
}

// Starts a long search, shows its progress, and stops it from another thread.
void stop_early(const std::string& machine) {
  nestor::Run run("map", {"vgg16"}, {{"arch", machine}, {"objective", "pareto"}});
  std::thread other;
  const auto result = run.execute([&](const nestor::Progress& progress) {
    if (!other.joinable()) {
      std::cerr << progress.text << '\n';
      other = std::thread([&] { run.stop(); });
    }
    return true;  // returning false would also stop the run
  });
  other.join();
  std::cout << "stopped: " << result.status() << ", " << result.layers().size() << " layers\n";
}

void refuse() try {
  nestor::map(nestor::in_memory("<network>.yaml", "name: net\nlayers:\n  - {name: a, dims: {K: -1}}\n"),
              "miredo-default");
} catch (const nestor::RunError& error) {
  std::cout << error.kind << " error in line " << error.line << ": " << error.what() << '\n';
}

}  // namespace

int main(int argc, char** argv) try {
  const std::string machine = argc > 1 ? argv[1] : "miredo-default";
  map_and_check(machine);
  print("compile", nestor::compile("vgg7", "isaac-table3"));
  print("schedule", nestor::schedule(nestor::in_memory("<netlist>", adder), {{"rows", "6"}}));
  print("estimate",
        nestor::estimate(nestor::in_memory("<kernel>.mlir", kernel), "upmem", {{"tasklets", "4"}}));
  const auto table = nestor::sweep(
      nestor::in_memory("<plan>.yaml",
                        "name: p\nnetworks: [mlperf-tiny-autoencoder]\nruns: [{objective: edp}]\n"
                        "machines: [{base: " +
                            machine + ", grid: {axis.core.size: [2, 4]}}]\n"),
      {{"store", "plan.db"}});
  std::cout << "sweep: " << table.number("/rows/1/latency_cycles") << " cycles with 4 cores\n";
  stop_early(machine);
  refuse();
} catch (const nestor::RunError& error) {
  std::cerr << error.what() << '\n';
  return 3;
}

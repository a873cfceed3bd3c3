// Benchmark of the speed of reading netlists and linear programs. The result guides the choice of hash
// tables, strings and memory management in the readers (base/tables/hash_table.h). --gates N sets the size of
// the netlists, by default a million. Bytes per second refer to text.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <string>

#include "base/parse_number.h"
#include "bench/netlists/generate.h"
#include "io/lp/lp_model.h"
#include "io/netlist/netlist_writer.h"
#include "io/netlist/read_netlist.h"

namespace nestor::io {
namespace {

simd::Netlist mesh(std::uint64_t gates) {
  return std::move(bench::generate("mesh", {64, static_cast<std::uint32_t>(gates), 1}).value());
}

// Returns a program with a grid of rows and columns, with long names as modelling languages write them.
std::string linear_program(std::size_t rows) {
  std::string text = "Minimize\n obj: place_of_loop_0\nSubject To\n";
  for (std::size_t i = 0; i < rows; ++i)
    text += fmt::format(
        " capacity_of_memory_{}: place_of_loop_{} + 3 place_of_loop_{} - place_of_loop_{} >= {}\n", i, i,
        (7 * i + 1) % rows, (13 * i + 2) % rows, i % 11);
  return text + "End\n";
}

void read_netlist_text(benchmark::State& state, const std::string& text, const char* file) {
  for (auto _ : state) {
    auto network = parse_netlist(text, file);
    if (!network) return state.SkipWithError("the netlist is not read");
    benchmark::DoNotOptimize(network);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(text.size()) * state.iterations());
}

void read_linear_program(benchmark::State& state, const std::string& text) {
  for (auto _ : state) {
    auto model = parse_lp(text, "bench.lp");
    if (!model) return state.SkipWithError("the linear program is not read");
    benchmark::DoNotOptimize(model);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(text.size()) * state.iterations());
}

int run(int argc, char** argv) {
  std::uint64_t gates = 1'000'000;
  if (argc > 2 && std::string_view(argv[1]) == "--gates") {
    gates = parse_number<std::uint64_t>(argv[2]).value_or(gates);
    argv += 2;
    argc -= 2;
  }
  const auto netlist = mesh(gates);
  const auto add = [](const char* name, auto function, const auto&... values) {
    benchmark::RegisterBenchmark(name, function, values...)->Unit(benchmark::kMillisecond);
  };
  add("blif", read_netlist_text, to_blif(netlist), "mesh.blif");
  add("verilog", read_netlist_text, to_verilog(netlist), "mesh.v");
  add("lp", read_linear_program, linear_program(gates / 10));
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

}  // namespace
}  // namespace nestor::io

int main(int argc, char** argv) { return nestor::io::run(argc, argv); }

// nestor_make_netlist: writes generated circuits, or any netlist with its gates reordered and renamed, as
// Verilog or BLIF. Scheduling benchmarks use these files as input.
//
//   nestor_make_netlist multiplier --width 64 -o multiplier.v
//   nestor_make_netlist random --nodes 1000000 --seed 7 -o random.blif
//   nestor_make_netlist --from adder.v --shuffle 3 --rename -o adder-3.v
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "bench/netlists/generate.h"
#include "io/files.h"
#include "io/netlist/netlist_writer.h"
#include "io/netlist/read_netlist.h"
#include "model/simd/reorder.h"
#include "model/simd/tech_map.h"
#include "report/tables/table.h"

namespace {

using namespace nestor;

struct NetlistRequest {
  std::string circuit;
  std::string from;
  bench::GeneratorSize size;
  std::uint64_t nodes = 0;
  std::optional<std::uint64_t> shuffle;
  bool remap = false;
  bool rename = false;
  bool list = false;
  std::string output = "-";
};

std::string list_of_generators() {
  io::Table table({{"circuit", io::Align::left}, {"width"}, {"count"}, {"what it is", io::Align::left}});
  for (const auto& generator : bench::generators()) {
    table.add_row({std::string(generator.name), fmt::format("{}", generator.default_width),
                   generator.default_count > 0 ? fmt::format("{}", generator.default_count) : "",
                   std::string(generator.help)});
  }
  return table.to_string();
}

io::Result<simd::Netlist> make(const NetlistRequest& request) {
  if (request.circuit.empty() == request.from.empty()) {
    return io::usage_error("expected a circuit's name or --from FILE (--list shows the circuits)");
  }
  if (!request.from.empty()) {
    auto network = io::read_netlist(request.from);
    if (!network) return network.error();
    const auto policy = request.remap ? simd::MapPolicy::always : simd::MapPolicy::when_needed;
    return simd::map_to_xmg(std::move(*network), policy).netlist;
  }
  if (request.nodes > 0) return bench::generate_of_size(request.circuit, request.nodes, request.size.seed);
  return bench::generate(request.circuit, request.size);
}

io::MaybeError run(const NetlistRequest& request) {
  if (request.list) return io::write_file("-", list_of_generators());
  auto netlist = make(request);
  if (!netlist) return netlist.error();
  if (request.shuffle) netlist = simd::shuffled(*netlist, *request.shuffle, request.rename);
  return io::write_netlist(request.output, *netlist);
}

}  // namespace

int main(int argc, char** argv) {
  NetlistRequest request;
  CLI::App app("Writes generated or reordered netlists as Verilog or BLIF", "nestor_make_netlist");
  app.add_option("circuit", request.circuit, "which circuit (--list)");
  app.add_flag("--list", request.list, "list the circuits");
  app.add_option("--from", request.from, "take this netlist instead (mapped to XOR3/MAJ3 where it must be)");
  app.add_flag("--remap", request.remap, "map it anew even where it is XOR3/MAJ3 already");
  app.add_option("--width", request.size.width, "bits of a word");
  app.add_option("--count", request.size.count, "words, or gates of random logic");
  app.add_option("--nodes", request.nodes, "choose the size that gives at least so many gates");
  app.add_option("--seed", request.size.seed, "of random logic");
  app.add_option("--shuffle", request.shuffle, "put the gates in a random topological order from this seed");
  app.add_flag("--rename", request.rename, "name the shuffled gates afresh");
  app.add_option("-o,--output", request.output, "FILE.v or FILE.blif; - is standard output");
  CLI11_PARSE(app, argc, argv);
  const auto error = run(request);
  if (!error) return 0;
  fmt::print(stderr, "nestor_make_netlist: {}\n", error->to_string());
  return static_cast<int>(error->kind);
}

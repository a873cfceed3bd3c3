// What the embedded search finds in how much memory: for each network and size of the arena, how many layers
// are proved, how far what is returned lies from the optimum, labels and bytes in use.
//
//     embedded_quality [--arch A[,B]] [--arena BYTES[,BYTES]] [--layers] [NETWORK ...]
#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <vector>

#include "inputs.h"
#include "io/architecture_file.h"
#include "io/layer_file.h"
#include "mapper/embedded/embedded_mapper.h"
#include "model/workload/unique_shapes.h"

namespace nestor {
namespace {

struct Arguments {
  std::vector<std::string> architectures = {"tiny-embedded", "miredo-default"};
  std::vector<std::string> arenas = {"16384", "32768", "65536", "131072", "262144"};
  std::vector<std::string> networks;
  bool per_layer = false;
};

Arguments parse(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&] { return std::string(i + 1 < argc ? argv[++i] : ""); };
    if (word == "--arch")
      arguments.architectures = bench::split(value());
    else if (word == "--arena")
      arguments.arenas = bench::split(value());
    else if (word == "--layers")
      arguments.per_layer = true;
    else
      arguments.networks.push_back(word);
  }
  if (arguments.networks.empty())
    arguments.networks = {"mlperf-tiny-dscnn", "mlperf-tiny-mobilenetv1", "mlperf-tiny-resnet8",
                          "mlperf-tiny-autoencoder"};
  return arguments;
}

void run(const Arguments& arguments) {
  for (const auto& network_name : arguments.networks)
    for (const auto& name : arguments.architectures) {
      const auto network = bench::or_exit(io::read_layers(network_name));
      const auto machine = bench::or_exit(io::read_architecture(name));
      for (const auto& arena_text : arguments.arenas) {
        std::vector<std::byte> arena(bench::number_of<std::size_t>(arena_text));
        std::size_t proved = 0, found = 0, layers = 0, peak = 0;
        std::uint64_t nodes = 0;
        for (const auto& layer : network.layers) {
          const auto problem = cim::make_problem(layer.shape, machine.machine, {});
          cim::EmbeddedMapper mapper(problem, arena);
          mapper.step(2'000'000);
          ++layers;
          found += mapper.found();
          proved += mapper.ended() && mapper.status() == Status::optimal;
          nodes += mapper.nodes();
          peak = std::max(peak, mapper.peak_bytes());
          if (arguments.per_layer)
            fmt::print("  {:24} {:12} {:12} {:>10} nodes {:>8} bytes {}\n", layer.name, mapper.cost(),
                       mapper.bound(), mapper.nodes(), mapper.peak_bytes(),
                       mapper.ended() ? to_string(mapper.status()) : "running");
        }
        fmt::print("{:26} {:16} {:>8} bytes: {:>3} of {} proved, {} mapped, {} labels, {} bytes\n",
                   network_name, name, arena.size(), proved, layers, found, nodes, peak);
      }
    }
}

}  // namespace
}  // namespace nestor

int main(int argc, char** argv) { nestor::run(nestor::parse(argc, argv)); }

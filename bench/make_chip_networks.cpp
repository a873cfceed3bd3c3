// nestor_make_chip_networks: writes the shipped networks of chip operators (data/networks/chip), as they are
// read from the generated ONNX models (docs/models/chip.md, section 3).
#include <cstdio>
#include <filesystem>

#include "bench/onnx/example_models.h"
#include "io/chip/network_text.h"
#include "io/files.h"
#include "io/onnx/chip/import.h"

int main(int argc, char** argv) {
  using namespace nestor;
  if (argc != 2) {
    std::fprintf(stderr, "usage: nestor_make_chip_networks FOLDER\n");
    return 2;
  }
  std::error_code failed;
  std::filesystem::create_directories(argv[1], failed);
  // Pools count 4 operations per element, as on the machine in the published table of these networks.
  chip::ChipMachine machine;
  machine.alu_ops = {{"pool", 4}};
  for (const auto& [model, opset, chain] : bench::chip_models()) {
    const std::string name(model.name);
    const auto bytes = bench::make_model(model, {.opset = opset, .chain = chain});
    const auto network = io::import_chip_network_bytes(bytes, name + ".onnx", machine);
    const auto path = std::filesystem::path(argv[1]) / (name + ".yaml");
    const auto error =
        network.ok() ? io::write_file(path, io::chip_network_to_yaml(*network, bench::chip_network_comment))
                     : network.error();
    if (error) {
      std::fprintf(stderr, "%s\n", error->to_string().c_str());
      return static_cast<int>(error->kind);
    }
    std::printf("%s\n", path.c_str());
  }
  return 0;
}

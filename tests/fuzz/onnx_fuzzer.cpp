// Fuzzer for the ONNX importer, which imports a file as a network and as a program. Each import may fail; an
// error for a network has a message of one line. The kernels of a program have no fault. A network has
// positive bounds, and the number of products of a layer does not overflow.
#include <cstdint>
#include <cstdlib>

#include "io/onnx/import_program.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace nestor;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto network = io::import_onnx_bytes(bytes, "fuzz.onnx", {.batch = 2});
  const auto program = io::import_onnx_program_bytes(bytes, "fuzz.onnx", {.batch = 2}, std::nullopt);
  if (program.ok())
    for (const auto& operation : program->operations)
      if (operation.kernel && !cnm::find_fault(*operation.kernel).empty()) std::abort();
  if (!network.ok()) {
    if (network.error().message.empty() || network.error().message.find('\n') != std::string::npos)
      std::abort();
    return 0;
  }
  for (const Layer& layer : network->layers) {
    std::optional<Int> products = layer.repeat;
    for (const Int bound : layer.shape.bounds) {
      if (bound < 1 || !products) std::abort();
      products = checked_multiply(*products, bound);
    }
    if (!products || layer.repeat < 1) std::abort();
  }
  return 0;
}

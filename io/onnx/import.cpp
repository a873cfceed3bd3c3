#include "io/onnx/import.h"

#include <exception>

#include "io/files.h"
#include "io/onnx/graph.h"
#include "io/onnx/infer.h"
#include "io/onnx/layers.h"
#include "io/onnx/tensor.h"
#include "io/onnx/wire.h"

namespace nestor::io {
namespace {

using namespace onnx_import;

Result<Network> import_model(std::string_view bytes, const std::string& file, const OnnxOptions& options) {
  auto model = parse_model(bytes, file);
  if (!model) return model.error();
  auto graph = build_graph(std::move(*model), file, options);
  if (!graph) return graph.error();
  if (auto failed = infer_shapes(*graph)) return *failed;
  auto network = extract_layers(*graph, options.bits);
  if (network) network->name = std::filesystem::path(file).stem().string();
  return network;
}

// Messages quote names of the model, which may hold anything.
Result<Network> with_printable_error(Result<Network> network) {
  if (network) return network;
  Error error = network.error();
  error.message = printable(std::move(error.message));
  return error;
}

}  // namespace

bool onnx_available() { return true; }

Result<Network> import_onnx_bytes(std::string_view bytes, const std::string& file,
                                  const OnnxOptions& options) {
  // protobuf and the standard library may throw (out of memory); nothing beyond this room shall notice.
  try {
    return with_printable_error(import_model(bytes, file, options));
  } catch (const std::exception& thrown) {
    return input_error({file}, std::string("cannot be read: ") + thrown.what());
  }
}

Result<Network> import_onnx(const std::filesystem::path& path, const OnnxOptions& options) {
  // protobuf reads no message beyond 2 GiB; larger models keep their weights in other files.
  constexpr std::uintmax_t largest_file = (std::uintmax_t{1} << 31U) - 1;
  auto bytes = read_file(path, largest_file);
  if (!bytes) return bytes.error();
  return import_onnx_bytes(*bytes, path.string(), options);
}

}  // namespace nestor::io

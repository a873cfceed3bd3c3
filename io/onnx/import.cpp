#include "io/onnx/import.h"

#include <exception>

#include "io/files.h"
#include "io/onnx/graph.h"
#include "io/onnx/import_program.h"
#include "io/onnx/infer.h"
#include "io/onnx/layers.h"
#include "io/onnx/program.h"
#include "io/onnx/tensor.h"
#include "io/onnx/wire.h"

namespace nestor::io {
namespace {

using namespace onnx_import;

Result<Graph> read_graph(std::string_view bytes, const std::string& file, const OnnxOptions& options) {
  auto model = parse_model(bytes, file);
  if (!model) return model.error();
  auto graph = build_graph(std::move(*model), file, options);
  if (!graph) return graph.error();
  if (auto failed = infer_shapes(*graph)) return *failed;
  return graph;
}

Result<Network> import_model(std::string_view bytes, const std::string& file, const OnnxOptions& options) {
  auto graph = read_graph(bytes, file, options);
  if (!graph) return graph.error();
  auto network = extract_layers(*graph, options.bits);
  if (network) network->name = std::filesystem::path(file).stem().string();
  return network;
}

Result<cnm::KernelProgram> import_program(std::string_view bytes, const std::string& file,
                                          const OnnxOptions& options, std::optional<cnm::Type> elements) {
  auto graph = read_graph(bytes, file, options);
  if (!graph) return graph.error();
  auto program = extract_program(*graph, {options.bits, elements});
  if (program) program->name = std::filesystem::path(file).stem().string();
  return program;
}

// Messages quote names from the model, which may contain any bytes.
template <typename Value>
Result<Value> with_printable_error(Result<Value> read) {
  if (read) return read;
  Error error = read.error();
  error.message = printable(std::move(error.message));
  return error;
}

// protobuf cannot read messages above 2 GiB; larger models keep their weights in other files.
constexpr std::uintmax_t largest_file = (std::uintmax_t{1} << 31U) - 1;

}  // namespace

bool onnx_available() { return true; }

Result<Network> import_onnx_bytes(std::string_view bytes, const std::string& file,
                                  const OnnxOptions& options) {
  // protobuf and the standard library may throw (out of memory); no exception may leave this module.
  try {
    return with_printable_error(import_model(bytes, file, options));
  } catch (const std::exception& thrown) {
    return input_error({file}, std::string("cannot be read: ") + thrown.what());
  }
}

Result<Network> import_onnx(const std::filesystem::path& path, const OnnxOptions& options) {
  auto bytes = read_file(path, largest_file);
  if (!bytes) return bytes.error();
  return import_onnx_bytes(*bytes, path.string(), options);
}

Result<cnm::KernelProgram> import_onnx_program_bytes(std::string_view bytes, const std::string& file,
                                                     const OnnxOptions& options,
                                                     std::optional<cnm::Type> elements) {
  try {
    return with_printable_error(import_program(bytes, file, options, elements));
  } catch (const std::exception& thrown) {
    return input_error({file}, std::string("cannot be read: ") + thrown.what());
  }
}

Result<cnm::KernelProgram> import_onnx_program(const std::filesystem::path& path, const OnnxOptions& options,
                                               std::optional<cnm::Type> elements) {
  auto bytes = read_file(path, largest_file);
  if (!bytes) return bytes.error();
  return import_onnx_program_bytes(*bytes, path.string(), options, elements);
}

}  // namespace nestor::io

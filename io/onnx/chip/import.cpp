#include "io/onnx/chip/import.h"

#include <exception>

#include "io/files.h"
#include "io/onnx/chip/extractor.h"
#include "io/onnx/graph.h"
#include "io/onnx/infer.h"
#include "io/onnx/wire.h"

namespace nestor::io {
namespace {

Result<chip::ChipNetwork> import_model(std::string_view bytes, const std::string& file,
                                       const chip::ChipMachine& machine, const OnnxOptions& options,
                                       chip::RealModel* numbers) {
  if (options.batch.value_or(1) != 1) return usage_error("the batch of a network on a chip is 1");
  // The data of weights are kept only if numbers are requested.
  onnx_import::WireLimits limits;
  if (numbers != nullptr) limits.payload_bytes = limits.kept_bytes = bytes.size();
  auto model = onnx_import::parse_model(bytes, file, limits);
  if (!model) return model.error();
  auto graph = onnx_import::build_graph(std::move(*model), file, options);
  if (!graph) return graph.error();
  if (auto failed = onnx_import::infer_shapes(*graph)) return *failed;
  chip_onnx::Extractor extractor(*graph, machine, options);
  auto network = numbers == nullptr ? extractor.run() : extractor.run(*numbers);
  if (network) network->name = std::filesystem::path(file).stem().string();
  return network;
}

Result<chip::ChipNetwork> import_safely(std::string_view bytes, const std::string& file,
                                        const chip::ChipMachine& machine, const OnnxOptions& options,
                                        chip::RealModel* numbers) {
  // protobuf and the standard library may throw (out of memory); no exception may leave this module.
  try {
    auto network = import_model(bytes, file, machine, options, numbers);
    if (network) return network;
    Error error = network.error();
    error.message = onnx_import::printable(std::move(error.message));
    return error;
  } catch (const std::exception& thrown) {
    return input_error({file}, std::string("cannot be read: ") + thrown.what());
  }
}

constexpr std::uintmax_t largest_model = (std::uintmax_t{1} << 31U) - 1;

}  // namespace

Result<chip::ChipNetwork> import_chip_network_bytes(std::string_view bytes, const std::string& file,
                                                    const chip::ChipMachine& machine,
                                                    const OnnxOptions& options) {
  return import_safely(bytes, file, machine, options, nullptr);
}

Result<chip::ChipNetwork> import_chip_model_bytes(std::string_view bytes, const std::string& file,
                                                  const chip::ChipMachine& machine,
                                                  const OnnxOptions& options, chip::RealModel& model) {
  return import_safely(bytes, file, machine, options, &model);
}

Result<chip::ChipNetwork> import_chip_network(const std::filesystem::path& path,
                                              const chip::ChipMachine& machine, const OnnxOptions& options) {
  const auto bytes = read_file(path, largest_model);
  if (!bytes) return bytes.error();
  return import_safely(*bytes, path.string(), machine, options, nullptr);
}

Result<chip::ChipNetwork> import_chip_model(const std::filesystem::path& path,
                                            const chip::ChipMachine& machine, const OnnxOptions& options,
                                            chip::RealModel& model) {
  const auto bytes = read_file(path, largest_model);
  if (!bytes) return bytes.error();
  return import_safely(*bytes, path.string(), machine, options, &model);
}

}  // namespace nestor::io

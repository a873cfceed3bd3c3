#include "io/onnx/chip/import.h"

namespace nestor::io {

Result<chip::ChipNetwork> import_chip_network(const std::filesystem::path& path, const chip::ChipMachine&,
                                              const OnnxOptions&) {
  return usage_error(path.string() + ": this build cannot read ONNX (libonnx and protobuf were not found)");
}

Result<chip::ChipNetwork> import_chip_model(const std::filesystem::path& path,
                                            const chip::ChipMachine& machine, const OnnxOptions& options,
                                            chip::RealModel&) {
  return import_chip_network(path, machine, options);
}

Result<chip::ChipNetwork> import_chip_model_bytes(std::string_view, const std::string& file,
                                                  const chip::ChipMachine& machine,
                                                  const OnnxOptions& options, chip::RealModel&) {
  return import_chip_network(file, machine, options);
}

Result<chip::ChipNetwork> import_chip_network_bytes(std::string_view, const std::string& file,
                                                    const chip::ChipMachine& machine,
                                                    const OnnxOptions& options) {
  return import_chip_network(file, machine, options);
}

}  // namespace nestor::io

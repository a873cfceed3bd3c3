#include "io/chip/onnx/import.h"

namespace nestor::io {

Result<chip::Network> import_chip_network(const std::filesystem::path& path, const chip::Machine&,
                                          const OnnxOptions&) {
  return usage_error(path.string() + ": this build cannot read ONNX (libonnx and protobuf were not found)");
}

Result<chip::Network> import_chip_network_bytes(std::string_view, const std::string& file,
                                                const chip::Machine& machine, const OnnxOptions& options) {
  return import_chip_network(file, machine, options);
}

}  // namespace nestor::io

// Substitutes for the importers in builds without libonnx and protobuf. They return a usage error.
#include "io/onnx/import_program.h"

namespace nestor::io {
namespace {

Error unavailable() {
  return usage_error(
      "this nestor was built without ONNX (libonnx and protobuf were not found, or NESTOR_ONNX is OFF); "
      "describe the network as a layer file instead");
}

}  // namespace

bool onnx_available() { return false; }

Result<Network> import_onnx(const std::filesystem::path&, const OnnxOptions&) { return unavailable(); }

Result<Network> import_onnx_bytes(std::string_view, const std::string&, const OnnxOptions&) {
  return unavailable();
}

Result<cnm::KernelProgram> import_onnx_program(const std::filesystem::path&, const OnnxOptions&,
                                               std::optional<cnm::Type>) {
  return unavailable();
}

Result<cnm::KernelProgram> import_onnx_program_bytes(std::string_view, const std::string&, const OnnxOptions&,
                                                     std::optional<cnm::Type>) {
  return unavailable();
}

}  // namespace nestor::io

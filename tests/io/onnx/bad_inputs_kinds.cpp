// Registers two kinds of bad input (tests/bad_inputs): "onnx" for the raw bytes of a model, and "onnx-text"
// for a model in protobuf's text format.
#include <google/protobuf/text_format.h>
#include <onnx/onnx_pb.h>

#include "io/bad_inputs.h"
#include "io/onnx/import.h"

namespace nestor::tests::bad_inputs_kinds {
namespace {

std::string import_message(const std::string& bytes, const std::string& file) {
  const auto network = io::import_onnx_bytes(bytes, file);
  return network.ok() ? std::string() : network.error().to_string();
}

const BadInputKind bytes("onnx", "in.onnx", import_message);

const BadInputKind text("onnx-text", "in.onnx", [](const std::string& input, const std::string& file) {
  ::onnx::ModelProto model;
  if (!google::protobuf::TextFormat::ParseFromString(input, &model))
    return std::string("not a protobuf text");
  return import_message(model.SerializeAsString(), file);
});

}  // namespace
}  // namespace nestor::tests::bad_inputs_kinds

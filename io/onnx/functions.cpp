#include "io/onnx/functions.h"

#include <onnx/onnx_pb.h>

namespace nestor::io::onnx_import {
namespace {

constexpr int node_overload_field = 8;
constexpr int function_defaults_field = 11;
constexpr int function_overload_field = 13;

template <typename Visit>
void visit_unknown(const google::protobuf::Message& message, int number, Visit visit) {
  const auto& fields = message.GetReflection()->GetUnknownFields(message);
  for (int i = 0; i < fields.field_count(); ++i) {
    const auto& field = fields.field(i);
    if (field.number() == number && field.type() == google::protobuf::UnknownField::TYPE_LENGTH_DELIMITED) {
      visit(field.length_delimited());
    }
  }
}

std::string key(const std::string& domain, const std::string& name, const google::protobuf::Message& message,
                int overload_field) {
  std::string overload;
  visit_unknown(message, overload_field, [&](const std::string& text) { overload = text; });
  std::string text = domain;
  for (const std::string& part : {name, overload}) text.append(1, '\0').append(part);
  return text;
}

}  // namespace

Functions::Functions(const ::onnx::ModelProto& model) {
  for (const auto& function : model.functions()) {
    if (function.domain().empty() || function.domain() == "ai.onnx") continue;
    by_name_.emplace(key(function.domain(), function.name(), function, function_overload_field), &function);
    Defaults& defaults = defaults_[&function];
    visit_unknown(function, function_defaults_field, [&](const std::string& bytes) {
      auto attribute = std::make_shared<::onnx::AttributeProto>();
      if (attribute->ParseFromString(bytes)) defaults.push_back(std::move(attribute));
    });
  }
}

const ::onnx::FunctionProto* Functions::find(const ::onnx::NodeProto& node) const {
  if (by_name_.empty() || node.domain().empty()) return nullptr;
  const auto found = by_name_.find(key(node.domain(), node.op_type(), node, node_overload_field));
  return found == by_name_.end() ? nullptr : found->second;
}

const Functions::Defaults& Functions::defaults(const ::onnx::FunctionProto& function) const {
  static const Defaults none;
  const auto found = defaults_.find(&function);
  return found == defaults_.end() ? none : found->second;
}

}  // namespace nestor::io::onnx_import

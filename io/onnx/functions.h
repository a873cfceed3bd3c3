// The local functions of a model, found by domain, name and overload. ONNX versions after that of libonnx
// 1.12 added default attributes and overloads to functions; both are read from the unknown fields that
// protobuf preserves.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/tables/hash_table.h"

namespace onnx {
class AttributeProto;
class FunctionProto;
class ModelProto;
class NodeProto;
}  // namespace onnx

namespace nestor::io::onnx_import {

class Functions {
 public:
  using Defaults = std::vector<std::shared_ptr<const ::onnx::AttributeProto>>;

  /// `model` must outlive the functions.
  explicit Functions(const ::onnx::ModelProto& model);

  /// Returns the function that a node calls, or null. ONNX's own operators are never treated as functions.
  const ::onnx::FunctionProto* find(const ::onnx::NodeProto& node) const;

  /// Returns the default values of attributes that a call may omit.
  const Defaults& defaults(const ::onnx::FunctionProto& function) const;

 private:
  HashMap<std::string, const ::onnx::FunctionProto*> by_name_;
  HashMap<const ::onnx::FunctionProto*, Defaults> defaults_;
};

}  // namespace nestor::io::onnx_import

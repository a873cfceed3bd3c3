// The local functions of a model, found by domain, name and overload. Newer ONNX versions than libonnx 1.12's
// gave functions default attributes and overloads; both are read from the fields it does not know.
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

  /// Keeps references into `model`.
  explicit Functions(const ::onnx::ModelProto& model);

  /// The function that a node calls, or null. ONNX's own operators are never taken for functions.
  const ::onnx::FunctionProto* find(const ::onnx::NodeProto& node) const;

  /// Attributes of a function that a call may leave out.
  const Defaults& defaults(const ::onnx::FunctionProto& function) const;

 private:
  HashMap<std::string, const ::onnx::FunctionProto*> by_name_;
  HashMap<const ::onnx::FunctionProto*, Defaults> defaults_;
};

}  // namespace nestor::io::onnx_import

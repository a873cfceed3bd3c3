// View of a node for shape rules and layer extraction: its inputs, its attributes with type checks, and the
// results of the rule. Only the first error is kept, and the caller of the rule checks for it. Therefore
// rules need no error handling.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/onnx/graph.h"

namespace nestor::io::onnx_import {

class NodeView {
 public:
  NodeView(Graph& graph, const Node& node) : graph_(graph), node_(node) {}

  const Node& node() const { return node_; }
  const Graph& graph() const { return graph_; }
  std::size_t input_count() const { return node_.inputs.size(); }
  std::size_t output_count() const { return node_.outputs.size(); }

  /// Returns an input, or null if it is omitted.
  const Tensor* input(std::size_t index) const;
  /// Returns an input that the operator requires; fails if it is omitted.
  const Tensor* required(std::size_t index);
  /// Returns the shape of an input, or null if the input is omitted or its rank unknown.
  const Shape* shape(std::size_t index) const;
  /// Returns the values of an input, or null if they are unknown.
  const Constant* constant(std::size_t index) const;
  /// Returns the values of an integer input (a shape, axes, ...), or nothing.
  std::optional<std::vector<Int>> integers_input(std::size_t index) const;

  bool has(std::string_view attribute) const { return find(attribute) != nullptr; }
  Int integer(std::string_view attribute, Int fallback);
  std::optional<std::vector<Int>> integers(std::string_view attribute);
  std::string text(std::string_view attribute, std::string fallback);
  const ::onnx::AttributeProto* find(std::string_view attribute) const;

  /// Sets the shape and type of an output. An index beyond the outputs or an output without a name is
  /// ignored.
  void set(std::size_t index, std::optional<Shape> shape, std::int32_t type);
  void set_value(std::size_t index, Constant value);
  TensorId output(std::size_t index) const;

  /// Returns an axis, counted from the end if negative, as an index into `rank` dimensions; fails if it is
  /// out of range.
  std::optional<std::size_t> axis(Int stated, std::size_t rank);

  void fail(std::string message);
  bool failed() const { return failure_.has_value(); }
  MaybeError failure() const;

 private:
  Graph& graph_;
  const Node& node_;
  std::optional<std::string> failure_;
};

}  // namespace nestor::io::onnx_import

// Resolution of symbolic dimensions to values. The leading symbol of the graph inputs is the batch. Every
// other symbol of an input must be bound by name; otherwise the import fails and names the symbol.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "io/error.h"
#include "io/onnx/import.h"
#include "io/onnx/tensor.h"

namespace onnx {
class TypeProto;
class ValueInfoProto;
}  // namespace onnx

namespace nestor::io::onnx_import {

class Symbols {
 public:
  /// Returns the batch and the bindings of `options` after checking them (a value outside 1 to 2^40 is a
  /// usage error).
  static Result<Symbols> from(const OnnxOptions& options);

  /// Registers a graph input. All inputs must be registered before any shape is requested, because a symbol
  /// is the batch only if each of its occurrences is the leading dimension of an input. Usual names of a
  /// batch may occur at any position.
  void note(const ::onnx::ValueInfoProto& input);

  /// Returns the shape of a graph input, with every dimension known; the optional is empty if the input has
  /// no shape.
  Result<std::optional<Shape>> input_shape(const ::onnx::ValueInfoProto& input,
                                           const std::string& file) const;

  /// Returns the shape of a type; dimensions are unknown if their symbol has no value.
  std::optional<Shape> stated_shape(const ::onnx::TypeProto& type) const;

  /// Returns an error for a binding that matches no symbol, or for a batch above 1 if no input has a symbolic
  /// batch.
  MaybeError check_all_used() const;

 private:
  bool is_batch(const std::string& symbol) const;
  std::optional<Int> value_of(const std::string& symbol) const;

  // Sorted by name, so that errors are reproducible.
  std::map<std::string, Int> bound_;              ///< from --dim
  std::map<std::string, bool> leads_everywhere_;  ///< true if the symbol may be the batch
  std::optional<Int> batch_;
};

}  // namespace nestor::io::onnx_import

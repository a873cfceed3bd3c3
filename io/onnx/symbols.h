// Values for symbolic dimensions. The leading symbol of the graph inputs is the batch; every other symbol
// that an input carries must be bound by name, or the import stops and says which.
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
  /// The values of `options`, checked (a value below 1 is a usage error).
  static Result<Symbols> from(const OnnxOptions& options);

  /// Announces a graph input; done for all of them before any shape is asked for, since whether a symbol is
  /// the batch depends on all of its places.
  void note(const ::onnx::ValueInfoProto& input);

  /// The shape of a graph input, every dimension known; nothing in it if the input states no shape.
  Result<std::optional<Shape>> input_shape(const ::onnx::ValueInfoProto& input,
                                           const std::string& file) const;

  /// The shape that a type states, unknown where a symbol has no value.
  std::optional<Shape> stated_shape(const ::onnx::TypeProto& type) const;

  /// An error for a binding that matched no symbol, or a batch that nothing can take.
  MaybeError check_all_used() const;

 private:
  bool is_batch(const std::string& symbol) const;
  std::optional<Int> value_of(const std::string& symbol) const;

  // In order: of several that are wrong the first is named.
  std::map<std::string, Int> bound_;              ///< from --dim
  std::map<std::string, bool> leads_everywhere_;  ///< symbols of the inputs: true if only ever leading
  std::optional<Int> batch_;
};

}  // namespace nestor::io::onnx_import

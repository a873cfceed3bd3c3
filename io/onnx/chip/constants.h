// Reader of a graph's constants in the form that chip operators need: weights as reals or as integers with
// scales. A constant is an initializer, a folded value, or the result of Constant, Identity and
// DequantizeLinear nodes. Only the first error is kept. Private to io/onnx/chip.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/tables/hash_table.h"
#include "io/onnx/graph.h"
#include "model/chip/real_model.h"

namespace onnx {
class TensorProto;
}

namespace nestor::io::chip_onnx {

class Constants {
 public:
  explicit Constants(const onnx_import::Graph& graph);

  /// Weights as signed integers with their scales if the graph quantises them, otherwise as reals.
  struct Weights {
    std::vector<double> values;
    std::vector<Int> shape;
    std::vector<double> scales;  ///< empty if the values are reals
    std::vector<Int> zeros;      ///< zero points of the signed integers
    std::size_t axis = 0;        ///< axis of the scales if there are several
  };
  std::optional<Weights> weights(onnx_import::TensorId id);
  /// Returns the weights as reals.
  std::optional<std::vector<double>> reals(onnx_import::TensorId id);
  /// Returns a single value, such as a scale or a limit.
  std::optional<double> scalar(onnx_import::TensorId id);
  /// Returns the format of integers with this scale and zero point. Without a zero point, their type is
  /// `fallback`.
  std::optional<chip::TensorFormat> format(onnx_import::TensorId scale, onnx_import::TensorId zero,
                                           std::int32_t fallback);
  /// Sets the scales and zero points of integer weights from the inputs of a quantised operator, and makes
  /// unsigned integers signed. Returns false on an error.
  bool state(Weights& weights, onnx_import::TensorId scale, onnx_import::TensorId zero, std::int32_t type,
             std::size_t axis);

  const std::string& failure() const { return failure_; }
  void fail(std::string message) {
    if (failure_.empty()) failure_ = std::move(message);
  }
  /// Returns the name of the first requested tensor whose data are not in the file; empty if there is none.
  const std::string& absent() const { return absent_; }

 private:
  const ::onnx::TensorProto* stored(onnx_import::TensorId id) const;
  std::optional<std::vector<double>> values(onnx_import::TensorId id);

  const onnx_import::Graph& graph_;
  HashMap<std::string_view, const ::onnx::TensorProto*> initializers_;
  std::string failure_, absent_;
};

}  // namespace nestor::io::chip_onnx

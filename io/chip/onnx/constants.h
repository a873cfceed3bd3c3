// The values of a graph's constants, as far as chip operators take them (private to the room): weights in
// reals or as integers with scales, found behind Constant, Identity and DequantizeLinear. The first complaint
// stays.
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

  /// Values as integers of a signed type where the graph has them so, with what they are multiplied by.
  struct Weights {
    std::vector<double> values;
    std::vector<Int> shape;
    std::vector<double> scales;  ///< empty: values are reals
    std::vector<Int> zeros;      ///< of signed integers
    std::size_t axis = 0;        ///< that several scales run along
  };
  std::optional<Weights> weights(onnx_import::TensorId id);
  /// The same in reals.
  std::optional<std::vector<double>> reals(onnx_import::TensorId id);
  /// One value: a scale, a limit.
  std::optional<double> scalar(onnx_import::TensorId id);
  /// The format of integers with this scale and zero point; no zero point: `fallback` is their type.
  std::optional<chip::TensorFormat> format(onnx_import::TensorId scale, onnx_import::TensorId zero,
                                           std::int32_t fallback);
  /// Scales and zero points that quantised operators state beside integer weights.
  bool state(Weights& weights, onnx_import::TensorId scale, onnx_import::TensorId zero, std::int32_t type,
             std::size_t axis);

  const std::string& failure() const { return failure_; }
  void fail(std::string message) {
    if (failure_.empty()) failure_ = std::move(message);
  }
  /// A tensor that the file describes without its data.
  const std::string& absent() const { return absent_; }

 private:
  const ::onnx::TensorProto* stored(onnx_import::TensorId id) const;
  std::optional<std::vector<double>> values(onnx_import::TensorId id);

  const onnx_import::Graph& graph_;
  HashMap<std::string_view, const ::onnx::TensorProto*> initializers_;
  std::string failure_, absent_;
};

}  // namespace nestor::io::chip_onnx

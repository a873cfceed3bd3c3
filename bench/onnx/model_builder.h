// Builds ONNX models node by node, without weight data: what the generator of example models and the tests of
// the importer write their graphs with.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace onnx {
class ModelProto;
class NodeProto;
}  // namespace onnx

namespace nestor::bench {

using Int = std::int64_t;
using Shape = std::vector<Int>;
using Value = std::string;  ///< the name of a tensor; empty: an optional input left out

/// How a model says which weights it has, all of them without their data.
enum class WeightStorage {
  described,  ///< initializers with dimensions only
  external,   ///< initializers that point to a file that is not there
  listed,     ///< initializers that are also graph inputs, as before IR version 4
  inputs,     ///< graph inputs only
};

struct ModelOptions {
  Int opset = 17;
  bool symbolic_batch = false;  ///< the inputs' leading dimension is the symbol "batch"
  bool quantised = false;       ///< QuantizeLinear/DequantizeLinear around convolutions and products
  WeightStorage weights = WeightStorage::described;
  bool chain = false;  ///< ResNet and VGG16: convolutions of the main path and pools only
  Int image = 0;       ///< rows and columns of the images of ResNet, VGG7 and MobileNetV2; 0: as published
};

using AttributeValue = std::variant<Int, std::vector<Int>, std::string, double>;
using Attributes = std::vector<std::pair<std::string, AttributeValue>>;

// Numbers of TensorProto.DataType.
inline constexpr int float_data = 1;
inline constexpr int uint8_data = 2;
inline constexpr int int8_data = 3;
inline constexpr int int64_data = 7;

class ModelBuilder {
 public:
  ModelBuilder(const std::string& name, const ModelOptions& options);
  ModelBuilder(ModelBuilder&& other) noexcept;
  ~ModelBuilder();

  const ModelOptions& options() const { return options_; }

  /// A graph input; its first dimension becomes symbolic if the options say so.
  Value input(const std::string& name, const Shape& shape, int type = float_data);
  /// A weight, in the storage that the options name.
  Value weight(const std::string& name, const Shape& shape, int type = float_data);
  /// A weight of a convolution or product: quantised and dequantised again if the options say so.
  Value layer_weight(const std::string& name, const Shape& shape);
  /// An activation on its way into a convolution or product, likewise.
  Value layer_input(const Value& value);
  /// A small constant with its values.
  Value integers(const std::vector<Int>& values);
  Value integer(Int value);
  Value real(double value);

  /// A node with one output, named after the node.
  Value add(const std::string& op, const std::vector<Value>& inputs, const Attributes& attributes = {});
  std::vector<Value> add_many(const std::string& op, const std::vector<Value>& inputs, int outputs,
                              const Attributes& attributes = {});
  /// The next node takes this name instead of one made from its operator.
  void name_next(const std::string& name) { next_name_ = name; }

  void output(const Value& value);

  ::onnx::ModelProto& proto() { return *model_; }
  std::string bytes() const;

 private:
  std::string fresh(const std::string& stem);

  ModelOptions options_;
  std::unique_ptr<::onnx::ModelProto> model_;
  std::string next_name_;
  Int count_ = 0;
};

}  // namespace nestor::bench

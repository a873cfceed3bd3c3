// Builder of ONNX models, node by node and without weight data. The generator of example models and the tests
// of the importer use it.
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
using Value = std::string;  ///< name of a tensor; empty: an omitted optional input

/// Form in which a model declares its weights, always without their data.
enum class WeightStorage {
  described,  ///< initializers with dimensions only
  external,   ///< initializers that refer to a missing file
  listed,     ///< initializers that are also graph inputs, as before IR version 4
  inputs,     ///< graph inputs only
};

struct ModelOptions {
  Int opset = 17;
  bool symbolic_batch = false;  ///< true if the leading dimension of the inputs is the symbol "batch"
  bool quantised = false;       ///< true for QuantizeLinear/DequantizeLinear around convolutions and products
  WeightStorage weights = WeightStorage::described;
  bool chain = false;  ///< true for only the pools and the convolutions of the main path (ResNet and VGG16)
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

  /// Adds a graph input, whose first dimension is symbolic if the options request it.
  Value input(const std::string& name, const Shape& shape, int type = float_data);
  /// Adds a weight, in the storage that the options select.
  Value weight(const std::string& name, const Shape& shape, int type = float_data);
  /// Adds a weight of a convolution or product, quantised and dequantised if the options request it.
  Value layer_weight(const std::string& name, const Shape& shape);
  /// Returns the activation for use as input of a convolution or product, quantised and dequantised if the
  /// options request it.
  Value layer_input(const Value& value);
  /// Adds a small constant with its values.
  Value integers(const std::vector<Int>& values);
  Value integer(Int value);
  Value real(double value);

  /// Adds a node with one output. The output has the name of the node, followed by "_out".
  Value add(const std::string& op, const std::vector<Value>& inputs, const Attributes& attributes = {});
  std::vector<Value> add_many(const std::string& op, const std::vector<Value>& inputs, int outputs,
                              const Attributes& attributes = {});
  /// Sets the name of the next node, which is otherwise derived from its operator.
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

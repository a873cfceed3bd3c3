#include "bench/onnx/model_builder.h"

#include <onnx/onnx_pb.h>

namespace nestor::bench {
namespace {

void set_attribute(const std::string& name, const AttributeValue& value, ::onnx::AttributeProto& proto) {
  proto.set_name(name);
  if (const auto* integer = std::get_if<Int>(&value)) {
    proto.set_type(::onnx::AttributeProto::INT);
    proto.set_i(*integer);
  } else if (const auto* list = std::get_if<std::vector<Int>>(&value)) {
    proto.set_type(::onnx::AttributeProto::INTS);
    for (const Int item : *list) proto.add_ints(item);
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    proto.set_type(::onnx::AttributeProto::STRING);
    proto.set_s(*text);
  } else {
    proto.set_type(::onnx::AttributeProto::FLOAT);
    proto.set_f(static_cast<float>(std::get<double>(value)));
  }
}

void set_type(const Shape& shape, int type, ::onnx::ValueInfoProto& info) {
  auto& tensor = *info.mutable_type()->mutable_tensor_type();
  tensor.set_elem_type(type);
  auto& dims = *tensor.mutable_shape();
  for (const Int extent : shape) dims.add_dim()->set_dim_value(extent);
}

}  // namespace

ModelBuilder::ModelBuilder(const std::string& name, const ModelOptions& options)
    : options_(options), model_(std::make_unique<::onnx::ModelProto>()) {
  model_->set_ir_version(options.weights == WeightStorage::listed ? 3 : 8);
  model_->set_producer_name("nestor_make_onnx");
  model_->add_opset_import()->set_version(options.opset);
  model_->mutable_graph()->set_name(name);
}

ModelBuilder::ModelBuilder(ModelBuilder&& other) noexcept = default;
ModelBuilder::~ModelBuilder() = default;

std::string ModelBuilder::fresh(const std::string& stem) { return stem + "_" + std::to_string(++count_); }

Value ModelBuilder::input(const std::string& name, const Shape& shape, int type) {
  auto& info = *model_->mutable_graph()->add_input();
  info.set_name(name);
  set_type(shape, type, info);
  if (options_.symbolic_batch && !shape.empty()) {
    info.mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim(0)->set_dim_param("batch");
  }
  return name;
}

Value ModelBuilder::weight(const std::string& name, const Shape& shape, int type) {
  auto& graph = *model_->mutable_graph();
  if (options_.weights != WeightStorage::inputs) {
    auto& tensor = *graph.add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(type);
    for (const Int extent : shape) tensor.add_dims(extent);
    if (options_.weights == WeightStorage::external) {
      tensor.set_data_location(::onnx::TensorProto::EXTERNAL);
      auto& location = *tensor.add_external_data();
      location.set_key("location");
      location.set_value("weights-that-are-not-there.bin");
    }
  }
  if (options_.weights == WeightStorage::listed || options_.weights == WeightStorage::inputs) {
    auto& info = *graph.add_input();
    info.set_name(name);
    set_type(shape, type, info);
  }
  return name;
}

Value ModelBuilder::layer_weight(const std::string& name, const Shape& shape) {
  if (!options_.quantised) return weight(name, shape);
  const Value stored = weight(name + "_quantised", shape, int8_data);
  return add("DequantizeLinear",
             {stored, weight(name + "_scale", {}), weight(name + "_zero", {}, int8_data)});
}

Value ModelBuilder::layer_input(const Value& value) {
  if (!options_.quantised) return value;
  const Value scale = weight(fresh(value + "_scale"), {});
  const Value zero = weight(fresh(value + "_zero"), {}, uint8_data);
  return add("DequantizeLinear", {add("QuantizeLinear", {value, scale, zero}), scale, zero});
}

Value ModelBuilder::integers(const std::vector<Int>& values) {
  auto& tensor = *model_->mutable_graph()->add_initializer();
  tensor.set_name(fresh("integers"));
  tensor.set_data_type(int64_data);
  tensor.add_dims(static_cast<Int>(values.size()));
  for (const Int value : values) tensor.add_int64_data(value);
  return tensor.name();
}

Value ModelBuilder::integer(Int value) {
  auto& tensor = *model_->mutable_graph()->add_initializer();
  tensor.set_name(fresh("integer"));
  tensor.set_data_type(int64_data);
  tensor.add_int64_data(value);
  return tensor.name();
}

Value ModelBuilder::real(double value) {
  auto& tensor = *model_->mutable_graph()->add_initializer();
  tensor.set_name(fresh("real"));
  tensor.set_data_type(float_data);
  tensor.add_float_data(static_cast<float>(value));
  return tensor.name();
}

Value ModelBuilder::add(const std::string& op, const std::vector<Value>& inputs,
                        const Attributes& attributes) {
  return add_many(op, inputs, 1, attributes).front();
}

std::vector<Value> ModelBuilder::add_many(const std::string& op, const std::vector<Value>& inputs,
                                          int outputs, const Attributes& attributes) {
  auto& node = *model_->mutable_graph()->add_node();
  node.set_op_type(op);
  node.set_name(next_name_.empty() ? fresh(op) : next_name_);
  next_name_.clear();
  for (const Value& value : inputs) node.add_input(value);
  std::vector<Value> made;
  for (int i = 0; i < outputs; ++i) {
    made.push_back(outputs == 1 ? node.name() + "_out" : node.name() + "_out" + std::to_string(i));
    node.add_output(made.back());
  }
  for (const auto& [name, value] : attributes) set_attribute(name, value, *node.add_attribute());
  return made;
}

void ModelBuilder::output(const Value& value) {
  auto& info = *model_->mutable_graph()->add_output();
  info.set_name(value);
  info.mutable_type()->mutable_tensor_type()->set_elem_type(float_data);
}

std::string ModelBuilder::bytes() const { return model_->SerializeAsString(); }

}  // namespace nestor::bench

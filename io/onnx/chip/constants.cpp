#include "io/onnx/chip/constants.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <cmath>

#include "io/onnx/constant_reader.h"

namespace nestor::io::chip_onnx {

using onnx_import::no_tensor;
using onnx_import::Node;
using onnx_import::Tensor;
using onnx_import::TensorId;

namespace {

constexpr int farthest = 8;  // longest chain of nodes between a constant and its reader

// Returns the offset of an unsigned type from the signed type of the same width, 0 for a signed type, and
// nothing for any other type.
std::optional<Int> offset_of(std::int32_t type) {
  switch (type) {
    case onnx_import::int8_type:
    case onnx_import::int16_type:
    case onnx_import::int32_type:
      return 0;
    case onnx_import::uint8_type:
      return 128;
    case onnx_import::uint16_type:
      return 32768;
    default:
      return std::nullopt;
  }
}

const ::onnx::AttributeProto* attribute(const Node& node, std::string_view name) {
  for (const auto& each : node.attributes)
    if (each.name == name) return each.proto;
  return nullptr;
}

}  // namespace

Constants::Constants(const onnx_import::Graph& graph) : graph_(graph) {
  for (const auto& proto : graph.model->graph().initializer()) initializers_.emplace(proto.name(), &proto);
}

const ::onnx::TensorProto* Constants::stored(TensorId id) const {
  const Tensor& tensor = graph_.tensors[id];
  if (tensor.producer >= 0) {
    const Node& node = graph_.nodes[static_cast<std::size_t>(tensor.producer)];
    const auto* value = node.op == "Constant" ? attribute(node, "value") : nullptr;
    return value != nullptr && value->has_t() ? &value->t() : nullptr;
  }
  const auto found = initializers_.find(std::string_view(tensor.name));
  return found == initializers_.end() ? nullptr : found->second;
}

std::optional<std::vector<double>> Constants::values(TensorId id) {
  const auto* proto = stored(id);
  const Tensor& tensor = graph_.tensors[id];
  if (proto == nullptr) {
    if (tensor.value && tensor.value->real) return tensor.value->reals;
    if (tensor.value)
      return std::vector<double>(tensor.value->integers.begin(), tensor.value->integers.end());
    if (tensor.producer < 0 && absent_.empty()) absent_ = tensor.name;
    if (tensor.producer >= 0)
      fail(fmt::format("tensor '{}' is computed in the graph; fold constants before the model is compiled",
                       tensor.name));
    return std::nullopt;
  }
  auto read = onnx_import::read_weights(*proto);
  if (const auto* message = std::get_if<std::string>(&read)) {
    fail(fmt::format("initializer '{}': {}", tensor.name, *message));
    return std::nullopt;
  }
  auto& made = std::get<0>(read);
  if (made.empty()) {
    if (absent_.empty()) absent_ = tensor.name;
    return std::nullopt;
  }
  return std::move(made);
}

std::optional<Constants::Weights> Constants::weights(TensorId id) {
  for (int step = 0; step < farthest && id != no_tensor; ++step) {
    const Tensor& tensor = graph_.tensors[id];
    const Node* node =
        tensor.producer < 0 ? nullptr : &graph_.nodes[static_cast<std::size_t>(tensor.producer)];
    if (node != nullptr && node->op == "Identity" && !node->inputs.empty()) {
      id = node->inputs[0];
      continue;
    }
    Weights made;
    if (node != nullptr && node->op == "DequantizeLinear" && node->inputs.size() > 1) {
      const auto* axis = attribute(*node, "axis");
      const auto* block = attribute(*node, "block_size");
      if (block != nullptr && block->i() != 0) return fail("weights quantised in blocks"), std::nullopt;
      auto inner = values(node->inputs[0]);
      if (!inner) return std::nullopt;
      made.values = std::move(*inner);
      const Tensor& integers = graph_.tensors[node->inputs[0]];
      if (integers.shape) made.shape = *integers.shape;
      Int at = axis == nullptr ? 1 : axis->i();
      if (at < 0) at += static_cast<Int>(made.shape.size());
      const TensorId zero = node->inputs.size() > 2 ? node->inputs[2] : no_tensor;
      if (!state(made, node->inputs[1], zero, integers.type, static_cast<std::size_t>(std::max<Int>(0, at))))
        return std::nullopt;
      return made;
    }
    auto found = values(id);
    if (!found) return std::nullopt;
    made.values = std::move(*found);
    if (tensor.shape) made.shape = *tensor.shape;
    return made;
  }
  return std::nullopt;
}

bool Constants::state(Weights& weights, TensorId scale, TensorId zero, std::int32_t type, std::size_t axis) {
  const auto offset = offset_of(type);
  if (!offset) return fail("quantised weights whose type is not an integer of 8, 16 or 32 bits"), false;
  weights.axis = axis;
  weights.scales = {1};
  if (scale != no_tensor) {
    auto scales = values(scale);
    if (!scales) return false;
    weights.scales = std::move(*scales);
  }
  weights.zeros.assign(weights.scales.size(), 0);
  if (zero != no_tensor) {
    const auto zeros = values(zero);
    if (!zeros || (zeros->size() != weights.scales.size() && zeros->size() != 1))
      return fail("the numbers of zero points and scales differ"), false;
    for (std::size_t i = 0; i < weights.zeros.size(); ++i)
      weights.zeros[i] = static_cast<Int>((*zeros)[zeros->size() == 1 ? 0 : i]);
  }
  const bool fits =
      weights.scales.size() == 1 ||
      (axis < weights.shape.size() && weights.shape[axis] == static_cast<Int>(weights.scales.size()));
  if (!fits)
    return fail("the number of scales of its weights differs from the number of channels of their axis"),
           false;
  for (const double each : weights.scales)
    if (!(each > 0)) return fail("a scale is not positive"), false;
  for (auto& value : weights.values) value -= static_cast<double>(*offset);
  for (auto& value : weights.zeros) value -= *offset;
  return true;
}

std::optional<std::vector<double>> Constants::reals(TensorId id) {
  auto found = weights(id);
  if (!found) return std::nullopt;
  if (found->scales.empty()) return std::move(found->values);
  Int inner = 1;
  for (std::size_t d = found->axis + 1; d < found->shape.size(); ++d) inner *= found->shape[d];
  for (std::size_t i = 0; i < found->values.size(); ++i) {
    const std::size_t at =
        found->scales.size() == 1 ? 0 : i / static_cast<std::size_t>(inner) % found->scales.size();
    found->values[i] = (found->values[i] - static_cast<double>(found->zeros[at])) * found->scales[at];
  }
  return std::move(found->values);
}

std::optional<double> Constants::scalar(TensorId id) {
  if (id == no_tensor) return std::nullopt;
  const auto found = reals(id);
  if (!found || found->size() != 1) return std::nullopt;
  return found->front();
}

std::optional<chip::TensorFormat> Constants::format(TensorId scale, TensorId zero, std::int32_t fallback) {
  const auto found = scalar(scale);
  if (!found || !(*found > 0)) {
    if (absent_.empty()) fail("an activation needs a positive scale that is stored in the file");
    return std::nullopt;
  }
  const std::int32_t type = zero == no_tensor ? fallback : graph_.tensors[zero].type;
  const auto offset = offset_of(type);
  const auto bits = onnx_import::quantised_bits(type);
  if (!offset || !bits || *bits > 16)
    return fail("activations that are not quantised to 8 or 16 bits"), std::nullopt;
  const auto stated = zero == no_tensor ? std::optional<double>(0) : scalar(zero);
  if (!stated) return fail("an activation needs a zero point that is stored in the file"), std::nullopt;
  const Int half = Int{1} << (*bits - 1);
  return chip::TensorFormat{*found, static_cast<Int>(*stated) - *offset, -half, half - 1};
}

}  // namespace nestor::io::chip_onnx

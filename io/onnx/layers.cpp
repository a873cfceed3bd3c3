#include "io/onnx/layers.h"

#include <fmt/format.h>

#include <array>
#include <map>
#include <utility>

#include "io/onnx/node_view.h"
#include "io/onnx/numbered_names.h"
#include "io/onnx/product.h"
#include "io/onnx/quantisation.h"
#include "io/onnx/window.h"

namespace nestor::io::onnx_import {
namespace {

class Extractor {
 public:
  Extractor(Graph& graph, const std::optional<BitWidths>& bits) : graph_(graph), bits_(bits) {}

  Result<Network> run();

 private:
  using Mapper = void (Extractor::*)(NodeView&);
  static Mapper mapper_of(std::string_view op);

  void map_convolution(NodeView& node) { convolution(node, 0, 1); }
  void map_quantised_convolution(NodeView& node) { convolution(node, 0, 3); }
  void map_matrix_product(NodeView& node) { product(node, 0, 1); }
  void map_quantised_matrix_product(NodeView& node) { product(node, 0, 3); }
  void map_gemm(NodeView& node);
  void map_attention(NodeView& node);
  void refuse_transposed(NodeView& node);

  void convolution(NodeView& node, std::size_t input, std::size_t weight);
  void product(NodeView& node, std::size_t left, std::size_t right);
  const Shape* known_shape(NodeView& node, std::size_t input);
  void add(NodeView& node, Layer layer, TensorId input, TensorId weight, TensorId output);

  Graph& graph_;
  const std::optional<BitWidths>& bits_;
  Network network_;
  NumberedNames names_;
};

void set_bounds(LayerShape& shape, std::initializer_list<std::pair<Dim, Int>> bounds) {
  for (const auto& [dim, bound] : bounds) shape.bounds[index_of(dim)] = bound;
}

// Returns the shape of an operand if every extent is known; otherwise fails with the tensor's name.
const Shape* Extractor::known_shape(NodeView& node, std::size_t input) {
  const Tensor* tensor = node.required(input);
  if (tensor == nullptr) return nullptr;
  if (tensor->shape && fully_known(*tensor->shape)) return &*tensor->shape;
  const std::string made =
      tensor->producer < 0 ? "which the file gives no shape"
                           : "made by " + describe(graph_.nodes[static_cast<std::size_t>(tensor->producer)]);
  node.fail(
      fmt::format("the shape of '{}', {}, is {}; add it to the file (value_info) or export with fixed shapes",
                  tensor->name, made, tensor->shape ? to_string(*tensor->shape) : "not known"));
  return nullptr;
}

// Adds a layer, or fails if it exceeds the limits of layer files: bounds from 1 to 2^31, and at most 2^56
// multiply-accumulates in all repetitions of the layer.
void Extractor::add(NodeView& node, Layer layer, TensorId input, TensorId weight, TensorId output) {
  constexpr Int largest_bound = Int{1} << 31;
  constexpr Int most_products = Int{1} << 56;
  if (node.failed()) return;
  if (layer.repeat < 1) return node.fail("an empty product cannot be mapped");
  Int products = layer.repeat;
  for (const Dim dim : all_dims) {
    const Int bound = layer.shape.bound(dim);
    if (bound < 1) {
      return node.fail(
          fmt::format("its bound {} is {}; an empty product cannot be mapped", letter(dim), bound));
    }
    if (bound > largest_bound) {
      return node.fail(
          fmt::format("its bound {} is {}; expected 1 to {}", letter(dim), bound, largest_bound));
    }
    products =
        products > most_products ? products : checked_multiply(products, bound).value_or(most_products + 1);
  }
  if (products > most_products) return node.fail("too large: more than 2^56 multiply-accumulates");
  layer.shape.bits = bits_ ? *bits_ : bits_of(graph_, input, weight, output);
  layer.name = names_.take(layer.name);
  network_.layers.push_back(std::move(layer));
}

void Extractor::convolution(NodeView& node, std::size_t input_at, std::size_t weight_at) {
  const Shape* input = known_shape(node, input_at);
  const Shape* weight = input == nullptr ? nullptr : known_shape(node, weight_at);
  if (weight == nullptr) return;
  if (weight->size() < 3 || weight->size() > 4) {
    return node.fail(fmt::format("its weight has the shape {}; only 1-D and 2-D convolutions are supported",
                                 to_string(*weight)));
  }
  const std::vector<Int> kernel(weight->begin() + 2, weight->end());
  if (const auto stated = node.integers("kernel_shape"); stated && *stated != kernel) {
    return node.fail(fmt::format("attribute 'kernel_shape' is {}, but its weight has the shape {}",
                                 list_text(*stated), to_string(*weight)));
  }
  const auto window = sliding_window(node, *input, kernel);
  const Int groups = node.integer("group", 1);
  if (!window) return;
  const Int channels = (*input)[1];
  const Int filters = (*weight)[0];
  if (groups < 1 || channels % groups != 0 || filters % groups != 0) {
    return node.fail(
        fmt::format("attribute 'group' is {}; expected a divisor of its {} input and {} output channels",
                    groups, channels, filters));
  }
  if (channels / groups != (*weight)[1]) {
    return node.fail(fmt::format(
        "its weight has the shape {}; an input of {} channels in groups of {} expects {} in place of {}",
        to_string(*weight), channels, channels / groups, channels / groups, (*weight)[1]));
  }
  Layer layer;
  layer.name = node.node().label;
  layer.groups = groups;
  layer.repeat = groups;
  set_bounds(layer.shape, {{Dim::N, (*input)[0]},
                           {Dim::K, filters / groups},
                           {Dim::C, channels / groups},
                           {Dim::P, window->output[0]},
                           {Dim::R, kernel[0]}});
  layer.shape.stride[0] = window->stride[0];
  layer.shape.dilation[0] = window->dilation[0];
  if (kernel.size() == 2) {
    set_bounds(layer.shape, {{Dim::Q, window->output[1]}, {Dim::S, kernel[1]}});
    layer.shape.stride[1] = window->stride[1];
    layer.shape.dilation[1] = window->dilation[1];
  }
  add(node, std::move(layer), node.node().inputs[input_at], node.node().inputs[weight_at], node.output(0));
}

// Adds the layer of a matrix product with leading dimensions. A dimension along which the right operand has
// several matrices repeats the product. All other dimensions are folded into the rows of one longer product,
// which reuses its weights.
void Extractor::product(NodeView& node, std::size_t left_at, std::size_t right_at) {
  const Shape* left = known_shape(node, left_at);
  const Shape* right = left == nullptr ? nullptr : known_shape(node, right_at);
  if (right == nullptr) return;
  const auto product = matrix_product(node, *left, *right);
  if (!product) return;
  std::optional<Int> rows = product->rows;
  std::optional<Int> repeat = 1;
  for (std::size_t i = 0; i < product->batch.size(); ++i) {
    auto& factor = product->right_batch[i] == 1 ? rows : repeat;
    if (factor) factor = checked_multiply(*factor, product->batch[i]);
  }
  if (!rows || !repeat) return node.fail("too large: more than 2^56 multiply-accumulates");
  Layer layer;
  layer.name = node.node().label;
  layer.repeat = *repeat;
  layer.activation_product = *repeat > 1;
  set_bounds(layer.shape, {{Dim::P, *rows}, {Dim::K, product->columns}, {Dim::C, product->depth}});
  add(node, std::move(layer), node.node().inputs[left_at], node.node().inputs[right_at], node.output(0));
}

void Extractor::map_gemm(NodeView& node) {
  const Shape* left = known_shape(node, 0);
  const Shape* right = left == nullptr ? nullptr : known_shape(node, 1);
  if (right == nullptr) return;
  const auto product = gemm_product(node, *left, *right);
  if (!product) return;
  Layer layer;
  layer.name = node.node().label;
  set_bounds(layer.shape, {{Dim::P, product->rows}, {Dim::K, product->columns}, {Dim::C, product->depth}});
  add(node, std::move(layer), node.node().inputs[0], node.node().inputs[1], node.output(0));
}

// Adds two layers for attention, scores = query x key' and context = scores x value, each repeated for every
// batch element and query head.
void Extractor::map_attention(NodeView& node) {
  for (std::size_t i = 0; i < 3; ++i) {
    if (known_shape(node, i) == nullptr) return;
  }
  const auto extents = attention_extents(node);
  if (!extents) return;
  const auto repeat = checked_multiply(extents->batch, extents->heads);
  if (!repeat) return node.fail("too large: more than 2^56 multiply-accumulates");
  if (extents->keys == unknown_dim) return node.fail("the length of its past keys is not known");
  Layer scores;
  scores.name = node.node().label + "/scores";
  scores.repeat = *repeat;
  scores.activation_product = true;
  set_bounds(scores.shape, {{Dim::P, extents->queries}, {Dim::K, extents->keys}, {Dim::C, extents->size}});
  Layer context;
  context.name = node.node().label + "/context";
  context.repeat = *repeat;
  context.activation_product = true;
  set_bounds(context.shape,
             {{Dim::P, extents->queries}, {Dim::K, extents->value_size}, {Dim::C, extents->keys}});
  const auto& inputs = node.node().inputs;
  add(node, std::move(scores), inputs[0], inputs[1], no_tensor);
  add(node, std::move(context), no_tensor, inputs[2], node.output(0));
}

void Extractor::refuse_transposed(NodeView& node) {
  node.fail(
      "transposed convolution cannot be mapped: it is not the loop nest of a convolution; rewrite it as "
      "Resize "
      "and Conv, or cut the model before it");
}

Extractor::Mapper Extractor::mapper_of(std::string_view op) {
  static constexpr std::array<std::pair<std::string_view, Mapper>, 9> mappers = {{
      {"Conv", &Extractor::map_convolution},
      {"ConvInteger", &Extractor::map_convolution},
      {"QLinearConv", &Extractor::map_quantised_convolution},
      {"Gemm", &Extractor::map_gemm},
      {"MatMul", &Extractor::map_matrix_product},
      {"MatMulInteger", &Extractor::map_matrix_product},
      {"QLinearMatMul", &Extractor::map_quantised_matrix_product},
      {"Attention", &Extractor::map_attention},
      {"ConvTranspose", &Extractor::refuse_transposed},
  }};
  for (const auto& [name, mapper] : mappers) {
    if (name == op) return mapper;
  }
  return nullptr;
}

Result<Network> Extractor::run() {
  std::map<std::string, Int> unmapped;  // in output order
  for (const auto& inside : graph_.inside) unmapped[inside.type] += inside.count;
  for (const Node& node : graph_.nodes) {
    const Mapper mapper = mapper_of(node.op);
    if (mapper == nullptr) {
      ++unmapped[node.op];
      continue;
    }
    NodeView view(graph_, node);
    (this->*mapper)(view);
    if (auto failed = view.failure()) return *failed;
  }
  for (const auto& [type, count] : unmapped) network_.unmapped.push_back({type, count});
  return std::move(network_);
}

}  // namespace

Result<Network> extract_layers(Graph& graph, const std::optional<BitWidths>& bits) {
  return Extractor(graph, bits).run();
}

}  // namespace nestor::io::onnx_import

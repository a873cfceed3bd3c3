// Builders of ONNX models of ViT (Dosovitskiy 2021), BERT (Devlin 2019) and GPT-2 (Radford 2019). From opset
// 23 on, attention is one operator, unless the model is quantised. Otherwise, attention consists of two
// products between the reshapes and transposes that exporters write.
#include <fmt/format.h>
#include <cmath>

#include "bench/onnx/example_models.h"

namespace nestor::bench {
namespace {

struct Transformer {
  Int width, heads, feed_forward;
  int blocks;
  bool norm_first;  ///< true for ViT and GPT-2; BERT normalises after the sum
};

// Reshapes [batch, length, width] to [batch, heads, length, size]. The target shape is computed in the graph,
// as exporters do for a symbolic batch.
Value split_heads(ModelBuilder& model, const Value& x, const Transformer& net) {
  const Value shape = model.add("Shape", {x});
  const auto extent = [&](Int index) {
    const Value scalar = model.add("Gather", {shape, model.integer(index)}, {{"axis", Int{0}}});
    if (model.options().opset < 13) return model.add("Unsqueeze", {scalar}, {{"axes", std::vector<Int>{0}}});
    return model.add("Unsqueeze", {scalar, model.integers({0})});
  };
  const Value size = model.add("Div", {extent(2), model.integers({net.heads})});
  const Value target =
      model.add("Concat", {extent(0), extent(1), model.integers({net.heads}), size}, {{"axis", Int{0}}});
  return model.add("Transpose", {model.add("Reshape", {x, target})},
                   {{"perm", std::vector<Int>{0, 2, 1, 3}}});
}

Value merge_heads(ModelBuilder& model, const Value& x, const Transformer& net) {
  const Value rows = model.add("Transpose", {x}, {{"perm", std::vector<Int>{0, 2, 1, 3}}});
  return model.add("Reshape", {rows, model.integers({0, -1, net.width})});
}

struct Cache {
  Value keys, values;  ///< cache of earlier tokens, [batch, heads, length, size]; empty if there is none
};

Value attention(ModelBuilder& model, const std::string& name, const Value& x, const Transformer& net,
                const Cache& cache) {
  Value query = split_heads(model, linear(model, name + "_query", x, net.width, net.width), net);
  Value key = split_heads(model, linear(model, name + "_key", x, net.width, net.width), net);
  Value value = split_heads(model, linear(model, name + "_value", x, net.width, net.width), net);
  if (!cache.keys.empty()) {
    key = model.add("Concat", {cache.keys, key}, {{"axis", Int{2}}});
    value = model.add("Concat", {cache.values, value}, {{"axis", Int{2}}});
  }
  Value context;
  if (model.options().opset >= 23 && !model.options().quantised) {
    model.name_next(name + "_attention");
    context = model.add("Attention", {query, key, value});
  } else {
    const Value transposed = model.add("Transpose", {key}, {{"perm", std::vector<Int>{0, 1, 3, 2}}});
    const Value left = model.layer_input(query);
    const Value right = model.layer_input(transposed);
    model.name_next(name + "_scores");
    const Value scores = model.add("MatMul", {left, right});
    const Int head_width = net.width / net.heads;
    const Value scaled = model.add("Div", {scores, model.real(std::sqrt(static_cast<double>(head_width)))});
    const Value weights = model.layer_input(model.add("Softmax", {scaled}, {{"axis", Int{-1}}}));
    const Value content = model.layer_input(value);
    model.name_next(name + "_context");
    context = model.add("MatMul", {weights, content});
  }
  return linear(model, name + "_projection", merge_heads(model, context, net), net.width, net.width);
}

Value feed_forward(ModelBuilder& model, const std::string& name, const Value& x, const Transformer& net) {
  const Value inner = gelu(model, linear(model, name + "_feed_forward_1", x, net.width, net.feed_forward));
  return linear(model, name + "_feed_forward_2", inner, net.feed_forward, net.width);
}

Value block(ModelBuilder& model, const std::string& name, const Value& x, const Transformer& net,
            const Cache& cache = {}) {
  const auto norm = [&](const std::string& which, const Value& v) {
    return layer_norm(model, name + which, v, net.width);
  };
  if (net.norm_first) {
    const Value attended = model.add("Add", {x, attention(model, name, norm("_norm_1", x), net, cache)});
    return model.add("Add", {attended, feed_forward(model, name, norm("_norm_2", attended), net)});
  }
  const Value attended = norm("_norm_1", model.add("Add", {x, attention(model, name, x, net, cache)}));
  return norm("_norm_2", model.add("Add", {attended, feed_forward(model, name, attended, net)}));
}

constexpr Transformer gpt2_medium = {1024, 16, 4096, 24, true};

void gpt2(ModelBuilder& model, Int length, Int past) {
  const Transformer& net = gpt2_medium;
  const Value tokens = model.input("tokens", {1, length}, int64_data);
  const Value embedded = model.add("Gather", {model.weight("token_embedding", {50257, net.width}), tokens});
  Value x = model.add("Add", {embedded, model.weight("position_embedding", {length, net.width})});
  for (int i = 0; i < net.blocks; ++i) {
    const std::string name = fmt::format("block{}", i);
    Cache cache;
    if (past > 0) {
      cache.keys = model.input(name + "_past_keys", {1, net.heads, past, net.width / net.heads});
      cache.values = model.input(name + "_past_values", {1, net.heads, past, net.width / net.heads});
    }
    x = block(model, name, x, net, cache);
  }
  x = layer_norm(model, "norm", x, net.width);
  // The head uses only the last token.
  x = model.add("Slice", {x, model.integers({-1}), model.integers({INT64_MAX}), model.integers({1})});
  model.output(linear(model, "lm_head", x, net.width, 50257, false));
}

}  // namespace

void build_gpt2_medium_prefill(ModelBuilder& model) { gpt2(model, 1024, 0); }
void build_gpt2_medium_decode(ModelBuilder& model) { gpt2(model, 1, 1023); }

void build_bert_base_128(ModelBuilder& model) {
  const Transformer net = {768, 12, 3072, 12, false};
  const Value tokens = model.input("tokens", {1, 128}, int64_data);
  const Value segments = model.input("segments", {1, 128}, int64_data);
  Value x = model.add("Gather", {model.weight("token_embedding", {30522, net.width}), tokens});
  x = model.add("Add",
                {x, model.add("Gather", {model.weight("segment_embedding", {2, net.width}), segments})});
  x = model.add("Add", {x, model.weight("position_embedding", {1, 128, net.width})});
  x = layer_norm(model, "norm", x, net.width);
  for (int i = 0; i < net.blocks; ++i) x = block(model, fmt::format("block{}", i), x, net);
  const Value first = model.add("Gather", {x, model.integer(0)}, {{"axis", Int{1}}});
  model.output(model.add("Tanh", {gemm(model, "pooler", first, net.width, net.width)}));
}

void build_vit_b16(ModelBuilder& model) {
  const Transformer net = {768, 12, 3072, 12, true};
  const Value image = model.input("image", {1, 3, 224, 224});
  Value x =
      convolution(model, "patches", image, 3, net.width, {.kernel = 16, .stride = 16, .normalised = false});
  x = model.add("Reshape", {x, model.integers({0, net.width, -1})});
  x = model.add("Transpose", {x}, {{"perm", std::vector<Int>{0, 2, 1}}});
  // The class token is added once per image of the batch.
  const Value shape = model.add("Shape", {x});
  const Value batch =
      model.add("Slice", {shape, model.integers({0}), model.integers({1}), model.integers({0})});
  const Value target = model.add("Concat", {batch, model.integers({-1, -1})}, {{"axis", Int{0}}});
  const Value kept = model.add("Equal", {target, model.integers({-1})});
  const Value extents = model.add("Where", {kept, model.integers({1, 1, net.width}), target});
  const Value token = model.add("Expand", {model.weight("class_token", {1, 1, net.width}), extents});
  x = model.add("Concat", {token, x}, {{"axis", Int{1}}});
  x = model.add("Add", {x, model.weight("position_embedding", {1, 197, net.width})});
  for (int i = 0; i < net.blocks; ++i) x = block(model, fmt::format("block{}", i), x, net);
  x = layer_norm(model, "norm", x, net.width);
  const Value first = model.add("Gather", {x, model.integer(0)}, {{"axis", Int{1}}});
  model.output(gemm(model, "head", first, net.width, 1000));
}

}  // namespace nestor::bench

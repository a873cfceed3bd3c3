#include <cmath>

#include "bench/onnx/example_models.h"

namespace nestor::bench {

Value convolution(ModelBuilder& model, const std::string& name, const Value& x, Int channels, Int filters,
                  const ConvolutionOptions& options) {
  const Int width = options.kernel_width == 0 ? options.kernel : options.kernel_width;
  std::vector<Value> inputs = {
      model.layer_input(x),
      model.layer_weight(name + "_w", {filters, channels / options.groups, options.kernel, width})};
  if (!options.normalised) inputs.push_back(model.weight(name + "_b", {filters}));
  Attributes attributes = {{"kernel_shape", std::vector<Int>{options.kernel, width}},
                           {"strides", std::vector<Int>{options.stride, options.stride}},
                           {"group", options.groups}};
  if (options.same) {
    attributes.emplace_back("auto_pad", "SAME_UPPER");
  } else {
    attributes.emplace_back("pads", std::vector<Int>(4, options.pad));
  }
  model.name_next(name);
  Value out = model.add("Conv", inputs, attributes);
  if (!options.normalised) return out;
  return model.add("BatchNormalization",
                   {out, model.weight(name + "_scale", {filters}), model.weight(name + "_shift", {filters}),
                    model.weight(name + "_mean", {filters}), model.weight(name + "_var", {filters})});
}

Value gemm(ModelBuilder& model, const std::string& name, const Value& x, Int inputs, Int outputs) {
  const Value quantised = model.layer_input(x);
  const Value weight = model.layer_weight(name + "_w", {outputs, inputs});
  const Value bias = model.weight(name + "_b", {outputs});
  model.name_next(name);
  return model.add("Gemm", {quantised, weight, bias}, {{"transB", Int{1}}});
}

Value linear(ModelBuilder& model, const std::string& name, const Value& x, Int inputs, Int outputs,
             bool bias) {
  const Value quantised = model.layer_input(x);
  const Value weight = model.layer_weight(name + "_w", {inputs, outputs});
  model.name_next(name);
  const Value product = model.add("MatMul", {quantised, weight});
  return bias ? model.add("Add", {product, model.weight(name + "_b", {outputs})}) : product;
}

Value layer_norm(ModelBuilder& model, const std::string& name, const Value& x, Int width) {
  const Value scale = model.weight(name + "_scale", {width});
  const Value shift = model.weight(name + "_shift", {width});
  if (model.options().opset >= 17)
    return model.add("LayerNormalization", {x, scale, shift}, {{"axis", Int{-1}}});
  const Attributes last = {{"axes", std::vector<Int>{-1}}};
  const Value centred = model.add("Sub", {x, model.add("ReduceMean", {x}, last)});
  const Value variance = model.add("ReduceMean", {model.add("Pow", {centred, model.real(2)})}, last);
  const Value deviation = model.add("Sqrt", {model.add("Add", {variance, model.real(1e-5)})});
  const Value scaled = model.add("Mul", {model.add("Div", {centred, deviation}), scale});
  return model.add("Add", {scaled, shift});
}

Value gelu(ModelBuilder& model, const Value& x) {
  if (model.options().opset >= 20) return model.add("Gelu", {x});
  const Value error = model.add("Erf", {model.add("Div", {x, model.real(std::sqrt(2.0))})});
  const Value gate = model.add("Add", {error, model.real(1)});
  return model.add("Mul", {model.add("Mul", {x, gate}), model.real(0.5)});
}

Value global_pool_and_flatten(ModelBuilder& model, const Value& x) {
  return model.add("Flatten", {model.add("GlobalAveragePool", {x})}, {{"axis", Int{1}}});
}

}  // namespace nestor::bench

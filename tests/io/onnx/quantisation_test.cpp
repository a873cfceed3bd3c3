// Tests of the import of bit widths from tensor types.
#include "io/onnx/built_model.h"

namespace nestor::io::quantisation_test {
namespace {

constexpr int int16_data = 5;
constexpr int float16_data = 10;
constexpr int int4_data = 22;

Value dequantised(ModelBuilder& model, const Value& stored, const std::string& name) {
  return model.add("DequantizeLinear", {stored, model.weight(name + "_scale", {})});
}

Value quantised(ModelBuilder& model, const Value& value, int type, const std::string& name) {
  return model.add("QuantizeLinear",
                   {value, model.weight(name + "_scale", {}), model.weight(name + "_zero", {}, type)});
}

TEST(Quantisation, uses_the_default_for_float_graphs_of_any_width) {
  for (const int type : {bench::float_data, float16_data}) {
    ModelBuilder model("float", {});
    model.output(model.add("MatMul", {model.input("a", {5, 7}, type), model.weight("b", {7, 11}, type)}));
    EXPECT_EQ(import_one(model).shape.bits, (BitWidths{8, 8, 8, 32}));
  }
}

TEST(Quantisation, is_read_from_the_operands_of_QLinearConv) {
  ModelBuilder model("qlinear", {});
  const auto parameter = [&](const std::string& name, int type) { return model.weight(name, {}, type); };
  model.output(model.add(
      "QLinearConv",
      {model.input("x", {1, 3, 8, 8}, bench::uint8_data), parameter("xs", 1),
       parameter("xz", bench::uint8_data), model.weight("w", {4, 3, 3, 3}, int4_data), parameter("ws", 1),
       parameter("wz", int4_data), parameter("ys", 1), parameter("yz", int16_data)},
      {{"pads", std::vector<Int>{1, 1, 1, 1}}}));
  const Layer layer = import_one(model);
  EXPECT_EQ(layer.shape.bounds, (Extents{1, 4, 3, 8, 8, 3, 3, 1}));
  EXPECT_EQ(layer.shape.bits, (BitWidths{8, 4, 16, 32}));
}

TEST(Quantisation, is_read_from_the_operands_of_QLinearMatMul) {
  ModelBuilder model("qlinear", {});
  const auto parameter = [&](const std::string& name, int type) { return model.weight(name, {}, type); };
  model.output(
      model.add("QLinearMatMul",
                {model.input("a", {6, 5, 7}, int16_data), parameter("as", 1), parameter("az", int16_data),
                 model.weight("b", {7, 11}, bench::int8_data), parameter("bs", 1),
                 parameter("bz", bench::int8_data), parameter("ys", 1), parameter("yz", bench::uint8_data)}));
  const Layer layer = import_one(model);
  EXPECT_EQ(layer.shape.bounds, (Extents{1, 11, 7, 30, 1, 1, 1, 1}));
  EXPECT_EQ(layer.shape.bits, (BitWidths{16, 8, 8, 32}));
}

TEST(Quantisation, gives_integer_products_32_bit_results) {
  ModelBuilder convolution("convinteger", {});
  convolution.output(
      convolution.add("ConvInteger", {convolution.input("x", {1, 3, 8, 8}, bench::uint8_data),
                                      convolution.weight("w", {4, 3, 3, 3}, bench::int8_data)}));
  EXPECT_EQ(import_one(convolution).shape.bounds, (Extents{1, 4, 3, 6, 6, 3, 3, 1}));
  EXPECT_EQ(import_one(convolution).shape.bits, (BitWidths{8, 8, 32, 32}));

  ModelBuilder product("matmulinteger", {});
  const auto dynamic = product.add_many("DynamicQuantizeLinear", {product.input("a", {5, 7})}, 3);
  product.output(
      product.add("MatMulInteger", {dynamic[0], product.weight("b", {7, 11}, bench::int8_data), dynamic[2]}));
  EXPECT_EQ(import_one(product).shape.bounds, (Extents{1, 11, 7, 5, 1, 1, 1, 1}));
  EXPECT_EQ(import_one(product).shape.bits, (BitWidths{8, 8, 32, 32}));
}

TEST(Quantisation, looks_beyond_dequantisation_and_activation_in_QDQ_graphs) {
  ModelBuilder model("qdq", {.opset = 21});
  const Value x = dequantised(model, model.input("x", {1, 3, 8, 8}, int16_data), "x");
  const Value w = dequantised(model, model.weight("w", {4, 3, 3, 3}, int4_data), "w");
  const Value y = model.add(
      "Relu",
      {model.add("Conv", {model.add("MaxPool", {x}, {{"kernel_shape", std::vector<Int>{2, 2}}}), w})});
  model.output(dequantised(model, quantised(model, y, int4_data, "y"), "out"));
  EXPECT_EQ(import_one(model).shape.bits, (BitWidths{16, 4, 4, 32}));
}

TEST(Quantisation, looks_through_a_transposed_weight_and_an_added_bias) {
  ModelBuilder model("qdq", {.opset = 21});
  const Value x = dequantised(model, model.input("x", {5, 7}, bench::uint8_data), "x");
  const Value w = model.add("Transpose", {dequantised(model, model.weight("w", {11, 7}, int4_data), "w")});
  const Value sum = model.add("Add", {model.weight("bias", {11}), model.add("MatMul", {x, w})});
  model.output(quantised(model, sum, int16_data, "y"));
  EXPECT_EQ(import_one(model).shape.bits, (BitWidths{8, 4, 16, 32}));
}

TEST(Quantisation, keeps_default_activations_if_only_weights_are_quantised) {
  ModelBuilder model("weights", {.opset = 21});
  model.output(model.add(
      "MatMul", {model.input("x", {5, 7}), dequantised(model, model.weight("w", {7, 11}, int4_data), "w")}));
  EXPECT_EQ(import_one(model).shape.bits, (BitWidths{8, 4, 8, 32}));
}

TEST(Quantisation, does_not_look_through_a_sum_of_two_activations) {
  ModelBuilder model("residual", {});
  const Value x = model.input("x", {5, 7});
  const Value sum = model.add("Add", {x, model.add("MatMul", {x, model.weight("w", {7, 7})})});
  model.output(quantised(model, sum, int16_data, "y"));
  EXPECT_EQ(import_one(model).shape.bits, (BitWidths{8, 8, 8, 32}));
}

TEST(Quantisation, takes_the_type_that_QuantizeLinear_states_itself) {
  ModelBuilder model("output_dtype", {.opset = 21});
  const Value y = model.add("MatMul", {model.input("x", {5, 7}), model.weight("w", {7, 7})});
  model.output(
      model.add("QuantizeLinear", {y, model.weight("scale", {})}, {{"output_dtype", Int{int16_data}}}));
  EXPECT_EQ(import_one(model).shape.bits.output, 16);
}

TEST(Quantisation, yields_to_widths_given_by_the_caller) {
  ModelBuilder model("override", {});
  model.output(model.add("ConvInteger", {model.input("x", {1, 3, 8, 8}, bench::uint8_data),
                                         model.weight("w", {4, 3, 3, 3}, bench::int8_data)}));
  EXPECT_EQ(import_one(model, {.bits = BitWidths{4, 2, 6, 24}}).shape.bits, (BitWidths{4, 2, 6, 24}));
}

}  // namespace
}  // namespace nestor::io::quantisation_test

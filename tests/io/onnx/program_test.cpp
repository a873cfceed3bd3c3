// Tests of the import of networks as programs of operations: kernels with linalg's dims, views, operations on
// the host, and element types.
#include "io/cnm/program_file.h"
#include "io/onnx/built_model.h"
#include "io/onnx/import_program.h"

namespace nestor::io::program_test {
namespace {

using Ints = std::vector<Int>;

Json program_of(const ModelBuilder& model, const OnnxOptions& options = {},
                std::optional<cnm::Type> elements = {}) {
  const auto program = import_onnx_program_bytes(model.bytes(), "built.onnx", options, elements);
  EXPECT_TRUE(program.ok()) << program.error().to_string();
  return program.ok() ? to_json(*program) : Json();
}

// Returns a network with a grouped convolution, its normalisation, a view and a classifier.
ModelBuilder network() {
  ModelBuilder model("net", {});
  const auto add = [&](const char* name, const char* op, const std::vector<Value>& inputs,
                       const Attributes& attributes = {}) {
    model.name_next(name);
    return model.add(op, inputs, attributes);
  };
  auto value = add("conv", "Conv", {model.input("x", {1, 4, 9, 9}), model.weight("w", {8, 2, 3, 3})},
                   {{"group", Int{2}}, {"strides", Ints{2, 2}}, {"pads", Ints{1, 1, 1, 1}}});
  value = add("norm", "BatchNormalization",
              {value, model.weight("scale", {8}), model.weight("shift", {8}), model.weight("mean", {8}),
               model.weight("var", {8})});
  value = add("relu", "Relu", {value});
  value = add("pool", "GlobalAveragePool", {value});
  value = add("flat", "Flatten", {value});
  value = add("fc", "Gemm", {value, model.weight("v", {5, 8}), model.weight("b", {5})}, {{"transB", Int{1}}});
  model.output(add("soft", "Softmax", {value}));
  return model;
}

TEST(NetworkPrograms, OperatorsBecomeKernelsOrHostOperations) {
  const auto program = program_of(network());
  const auto& ops = program["ops"];
  ASSERT_EQ(ops.size(), 6U) << program.dump(1);
  EXPECT_EQ(program["inputs"], Json({"x"}));
  EXPECT_EQ(program["values"]["x"], Json::parse(R"({"type": "1x4x9x9xf32", "bytes": 1296})"));
  // Dims: n g f h w c i j.
  const auto& conv = ops[0]["kernel"];
  EXPECT_EQ(ops[0]["name"], "conv");
  EXPECT_EQ(conv["dims"], Json({1, 2, 4, 5, 5, 2, 3, 3}));
  EXPECT_EQ(conv["reduction"], Json({0, 0, 0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(conv["operands"][0]["map"], Json({"d0", "d1", "d5", "2*d3+d6", "2*d4+d7"}));
  EXPECT_EQ(conv["operands"][1]["map"], Json({"d1", "d2", "d5", "d6", "d7"}));
  EXPECT_EQ(conv["operands"][2]["map"], Json({"d0", "d1", "d2", "d3", "d4"}));
  EXPECT_EQ(conv["region"], Json({"mulf", "addf"}));
  EXPECT_EQ(ops[1]["kernel"]["region"], Json({"mulf", "addf"}));
  EXPECT_EQ(ops[1]["reads"].size(), 3U);
  EXPECT_EQ(ops[2]["kernel"]["region"], Json({"maximumf"}));
  EXPECT_EQ(ops[3]["kernel"]["dims"], Json({1, 8, 1, 1, 5, 5}));
  // The view is not an operation, so the classifier reads the pool's output.
  EXPECT_EQ(ops[4]["reads"][0], ops[3]["writes"][0]);
  EXPECT_EQ(ops[4]["kernel"]["dims"], Json({1, 5, 8}));
  EXPECT_EQ(ops[4]["kernel"]["operands"][1]["map"], Json({"d1", "d2"}));
  EXPECT_EQ(ops[4]["reads"].size(), 3U);
  EXPECT_EQ(ops[5]["host"], "Softmax");
  EXPECT_EQ(program["outputs"], ops[5]["writes"]);
}

// Returns a model of a convolution with more padding at the end than at the beginning.
ModelBuilder padded_network() {
  ModelBuilder model("padded", {});
  model.output(model.add("Conv", {model.input("x", {1, 4, 9, 9}), model.weight("w", {8, 4, 3, 3})},
                         {{"strides", Ints{2, 2}}, {"pads", Ints{1, 1, 2, 2}}}));
  return model;
}

void expect_the_same_when_read_back(const ModelBuilder& model) {
  const auto program = import_onnx_program_bytes(model.bytes(), "built.onnx", {}, {});
  ASSERT_TRUE(program.ok());
  const auto text = to_json(*program).dump();
  const auto document = Document::parse(text, "program.json");
  ASSERT_TRUE(document.ok());
  const auto again = program_from(document->root());
  ASSERT_TRUE(again.ok()) << again.error().to_string() << text;
  EXPECT_EQ(to_json(*again).dump(), text);
  const auto& before = program->operations[0];
  const auto& after = again->operations[0];
  EXPECT_EQ(after.pads, before.pads);
  for (std::size_t i = 0; i < before.kernel->operands.size(); ++i)
    EXPECT_EQ(after.kernel->operands[i].dims, before.kernel->operands[i].dims) << i;
}

TEST(NetworkPrograms, RoundTripUnchanged) {
  expect_the_same_when_read_back(network());
  expect_the_same_when_read_back(padded_network());
  auto json = program_of(padded_network());
  json["ops"][0]["kernel"]["pads"] = {1, 1, 1};
  const auto odd = Document::parse(json.dump(), "program.json");
  EXPECT_NE(program_from(odd->root()).error().message.find("pads: expected"), std::string::npos);
}

TEST(NetworkPrograms, UseTheRequestedWidthsAndTypes) {
  const auto narrow = program_of(network(), {.bits = BitWidths{8, 4, 16, 32}});
  EXPECT_EQ(narrow["values"]["x"]["type"], "1x4x9x9xi8");
  EXPECT_EQ(narrow["values"]["w"]["bytes"], 144);
  EXPECT_EQ(narrow["ops"][0]["kernel"]["region"], Json({"extsi", "extsi", "muli", "extsi", "addi"}));
  EXPECT_EQ(program_of(network(), {}, cnm::Type::f16)["values"]["x"]["type"], "1x4x9x9xf16");
}

TEST(NetworkPrograms, ProductsOfActivationsHaveABatch) {
  ModelBuilder model("products", {});
  const auto scores =
      model.add("MatMul", {model.input("q", {2, 3, 4, 8}), model.input("k", {2, 3, 8, 5})}, {});
  model.output(model.add("MatMul", {scores, model.weight("w", {5, 7})}, {}));
  const auto program = program_of(model);
  EXPECT_EQ(program["ops"][0]["kernel"]["dims"], Json({6, 4, 5, 8}));
  EXPECT_EQ(program["ops"][1]["kernel"]["dims"], Json({24, 7, 5}));
}

TEST(NetworkPrograms, OperandsRepeatAlongDimsThatTheyLack) {
  ModelBuilder model("sum", {});
  const auto x = model.input("x", {2, 4, 6});
  const auto sum = model.add("Add", {x, model.weight("b", {4, 1})}, {});
  model.output(model.add("Mul", {sum, sum}, {}));
  const auto program = program_of(model);
  EXPECT_EQ(program["ops"][0]["kernel"]["operands"][1]["map"], Json({"d1", "0"}));
  EXPECT_EQ(program["ops"][1]["kernel"]["operands"].size(), 2U);
}

}  // namespace
}  // namespace nestor::io::program_test

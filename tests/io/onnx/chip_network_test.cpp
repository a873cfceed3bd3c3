// Tests of ONNX models as networks of chip operators. The networks of the shipped models are compared with
// the reference table, operator by operator. Other tests check which rows an operator waits for if its input
// passes through an operator without cost.
#include "io/onnx/chip/import.h"

#include <gtest/gtest.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

#include "bench/onnx/example_models.h"
#include "io/chip/network_file.h"
#include "io/chip/network_text.h"
#include "io/find_data.h"
#include "support/chip_reference.h"

namespace nestor::tests::chip_network_test {
namespace {

using bench::ModelBuilder;
using bench::Value;

chip::ChipMachine four_per_pool() {
  chip::ChipMachine machine;
  machine.alu_ops = {{"pool", 4}};
  return machine;
}

chip::ChipNetwork import(const std::string& name, Int opset = 17) {
  for (const auto& example : bench::example_models()) {
    if (example.name != name) continue;
    auto network = io::import_chip_network_bytes(bench::make_model(example, {.opset = opset}), name + ".onnx",
                                                 four_per_pool());
    EXPECT_TRUE(network.ok()) << network.error().to_string();
    return network.ok() ? *network : chip::ChipNetwork{};
  }
  ADD_FAILURE() << "no model " << name;
  return {};
}

// Returns a text of everything that determines costs. It lists the needed input row of every output row.
std::string text_of(const chip::ChipNetwork& network, const chip::Operator& op) {
  std::string text =
      fmt::format("{} {}x{}x{} in {} new {} matrix {}x{}x{} alu {} bits {} {} {}:", chip::to_string(op.kind),
                  op.rows, op.width, op.channels, op.in_channels, op.row_in, op.matrix.rows,
                  op.matrix.columns, op.matrix.groups, op.alu_ops, op.bits.I, op.bits.W, op.bits.O);
  for (const auto& input : op.inputs) {
    const Int rows = network.tensor_rows(input.tensor);
    text += fmt::format(
        " {}", network.is_input(input.tensor) ? -1 : static_cast<Int>(network.producer(input.tensor)));
    for (Int r = 0; r < op.rows; ++r) text += fmt::format(" {}", chip::needed_row(input, r, rows));
  }
  return text;
}

void expect_equal(const chip::ChipNetwork& found, const chip::ChipNetwork& expected) {
  ASSERT_EQ(found.operators.size(), expected.operators.size());
  for (std::size_t i = 0; i < found.operators.size(); ++i) {
    EXPECT_EQ(text_of(found, found.operators[i]), text_of(expected, expected.operators[i]))
        << expected.operators[i].name;
  }
  EXPECT_EQ(found.outputs, expected.outputs);
}

TEST(OnnxChipNetwork, ResidualNetworksEqualTheReferenceTable) {
  const auto path = chip_reference("table3.json");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no reference data at " << path;
  const auto table = io::Json::parse(std::ifstream(path));
  for (const std::string name : {"resnet18", "resnet34", "resnet50", "resnet101"}) {
    const auto expected = io::parse_chip_network(table["networks"][name + "-full"].dump(), "network.json");
    ASSERT_TRUE(expected.ok());
    SCOPED_TRACE(name);
    expect_equal(import(name), *expected);
  }
}

TEST(OnnxChipNetwork, Vgg16SplitForTheChipEqualsTheReferenceTable) {
  const auto path = chip_reference("table3.json");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no reference data at " << path;
  const auto table = io::Json::parse(std::ifstream(path));
  const auto expected = io::parse_chip_network(table["networks"]["vgg16-full"].dump(), "network.json");
  const auto machine = io::parse_chip_machine(table["machines"]["isaac-table3"].dump(), "machine.json");
  ASSERT_TRUE(expected.ok() && machine.ok());
  auto found = import("vgg16");
  ASSERT_EQ(found.operators.back().alu_ops, 5000) << "the softmax, which the table leaves out";
  found.operators.pop_back();
  found.outputs = {found.operators.size() - 1};
  ASSERT_FALSE(chip::split(*machine, found));
  auto split = *expected;
  ASSERT_FALSE(chip::split(*machine, split));
  expect_equal(found, split);
}

TEST(OnnxChipNetwork, ShippedNetworksMatchTheGenerator) {
  for (const auto& [model, opset, chain] : bench::chip_models()) {
    const std::string name(model.name);
    const auto found = io::find_data(io::chip_networks, name);
    ASSERT_TRUE(found.ok()) << found.error().to_string();
    const auto network = io::import_chip_network_bytes(
        bench::make_model(model, {.opset = opset, .chain = chain}), name + ".onnx", four_per_pool());
    ASSERT_TRUE(network.ok()) << network.error().to_string();
    const auto shipped = io::read_file(*found);
    ASSERT_TRUE(shipped.ok());
    const std::string written = io::chip_network_to_yaml(*network, bench::chip_network_comment);
    EXPECT_TRUE(*shipped == written) << "run nestor_make_chip_networks data/networks/chip";
    const auto read = io::parse_chip_network(*shipped, name + ".yaml");
    ASSERT_TRUE(read.ok()) << read.error().to_string();
    EXPECT_EQ(io::chip_network_to_yaml(*read, bench::chip_network_comment), written);
  }
}

TEST(OnnxChipNetwork, ShippedChainsEqualTheReferenceTable) {
  const auto path = chip_reference("table3.json");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no reference data at " << path;
  const auto table = io::Json::parse(std::ifstream(path));
  for (const std::string name :
       {"resnet18-chain", "resnet34-chain", "resnet50-chain", "resnet101-chain", "vgg16-chain"}) {
    const auto expected = io::parse_chip_network(table["networks"][name].dump(), "network.json");
    const auto shipped_path = io::find_data(io::chip_networks, name);
    if (!shipped_path.ok()) GTEST_SKIP() << shipped_path.error().to_string();
    const auto shipped = io::read_file(*shipped_path);
    ASSERT_TRUE(expected.ok() && shipped.ok());
    const auto found = io::parse_chip_network(*shipped, name + ".yaml");
    ASSERT_TRUE(found.ok()) << found.error().to_string();
    SCOPED_TRACE(name);
    expect_equal(*found, *expected);
  }
}

TEST(OnnxChipNetwork, KeepsNamesAndOutputsOfTheModel) {
  const auto network = import("resnet18");
  EXPECT_EQ(network.name, "resnet18");
  EXPECT_EQ(network.inputs.front().name, "image");
  EXPECT_EQ(network.operators.front().name, "conv1");
  EXPECT_EQ(network.operators.back().name, "fc");
  EXPECT_EQ(network.outputs, std::vector<std::size_t>{network.operators.size() - 1});
  EXPECT_EQ(network.operators.front().function.kernel, (std::array<Int, 2>{7, 7}));
}

TEST(OnnxChipNetwork, TheVisionTransformerHasItsTokensAndHeads) {
  const auto network = import("vit-b16", 20);
  const auto of = [&](const std::string& name) {
    const auto found = std::find_if(network.operators.begin(), network.operators.end(),
                                    [&](const chip::Operator& op) { return op.name == name; });
    return found == network.operators.end() ? "no " + name : text_of(network, *found);
  };
  const auto count = [&](chip::OperatorKind kind) {
    return std::count_if(network.operators.begin(), network.operators.end(),
                         [&](const auto& op) { return op.kind == kind; });
  };
  EXPECT_EQ(count(chip::OperatorKind::array), 1 + 12 * 6 + 1);
  EXPECT_EQ(count(chip::OperatorKind::product), 12 * 2);
  const auto& concat = network.operators[1];
  EXPECT_EQ(concat.rows, 197);
  EXPECT_EQ(chip::needed_row(concat.inputs[0], 0, 14), 0);
  EXPECT_EQ(chip::needed_row(concat.inputs[0], 14, 14), 0) << "token 14 is pixel 13";
  EXPECT_EQ(chip::needed_row(concat.inputs[0], 15, 14), 1);
  EXPECT_EQ(chip::needed_row(concat.inputs[0], 196, 14), 13);
  EXPECT_EQ(of("head").find("array 1x1x1000 in 768 new 768 matrix 768x1000x1 alu 0 bits 8"), 0U)
      << of("head");
  EXPECT_NE(of("block0_scores").find("product 197x1x2364 in 768 new 768 matrix 64x197x12 alu 302592"),
            std::string::npos)
      << of("block0_scores");
  EXPECT_NE(of("block0_context").find("product 197x1x768 in 2364 new 2364 matrix 197x64x12 alu 302592"),
            std::string::npos)
      << of("block0_context");
}

TEST(OnnxChipNetwork, EveryExampleModelIsReadAtEveryOpset) {
  for (const auto& example : bench::example_models()) {
    for (const Int opset : {11, 13, 17, 20, 23}) {
      io::OnnxOptions options;
      options.unknown = 1;  // alexnet has LRN
      const auto network = io::import_chip_network_bytes(bench::make_model(example, {.opset = opset}),
                                                         "model.onnx", four_per_pool(), options);
      ASSERT_TRUE(network.ok()) << example.name << " at " << opset << ": " << network.error().to_string();
      EXPECT_GE(network->operators.size(), 2U);
    }
  }
}

// Builds a network of a convolution, the operator `free`, which has no cost, and a Relu. Returns the row of
// the convolution for which each row of the Relu waits.
std::vector<Int> rows_behind(const std::function<Value(ModelBuilder&, const Value&)>& free) {
  ModelBuilder model("free", {});
  const Value x = model.input("x", {1, 4, 6, 8});
  const Value made = model.add("Conv", {x, model.weight("w", {4, 4, 1, 1})});
  model.output(model.add("Relu", {free(model, made)}));
  const auto network = io::import_chip_network_bytes(model.bytes(), "free.onnx", {});
  EXPECT_TRUE(network.ok()) << network.error().to_string();
  if (!network.ok() || network->operators.size() != 2) return {};
  std::vector<Int> rows;
  const auto& reader = network->operators[1];
  for (Int r = 0; r < reader.rows; ++r) rows.push_back(chip::needed_row(reader.inputs[0], r, 6));
  return rows;
}

TEST(OnnxChipNetwork, ReadersLookThroughFreeOperators) {
  using Rows = std::vector<Int>;
  const Rows kept = {0, 1, 2, 3, 4, 5};
  EXPECT_EQ(rows_behind([](ModelBuilder& m, const Value& v) { return m.add("Identity", {v}); }), kept);
  EXPECT_EQ(rows_behind([](ModelBuilder& m, const Value& v) {
              return m.add("Slice", {v, m.integers({2}), m.integers({6}), m.integers({2}), m.integers({2})});
            }),
            (Rows{2, 4}));
  // Pixels become tokens: 48 of them, 8 from each row.
  const auto tokens = rows_behind([](ModelBuilder& m, const Value& v) {
    return m.add("Transpose", {m.add("Reshape", {v, m.integers({0, 4, -1})})},
                 {{"perm", std::vector<Int>{0, 2, 1}}});
  });
  ASSERT_EQ(tokens.size(), 48U);
  for (std::size_t i = 0; i < tokens.size(); ++i) EXPECT_EQ(tokens[i], static_cast<Int>(i / 8));
  // All elements form a single row, so every row is needed.
  EXPECT_EQ(rows_behind([](ModelBuilder& m, const Value& v) {
              return m.add("Reshape", {v, m.integers({1, 1, 1, 192})});
            }),
            (Rows{5}));
}

chip::ChipMachine with_functions(std::vector<chip::ChipFunction> functions) {
  chip::ChipMachine machine;
  machine.functions = std::move(functions);
  return machine;
}

// Returns, for one operator on 6 x 8 pixels of 4 channels, the operations of a row and the functions that a
// program calls. Returns the error message if there is one.
std::string charged(const std::function<Value(ModelBuilder&, const Value&)>& add,
                    const chip::ChipMachine& machine, const io::OnnxOptions& options = {}) {
  ModelBuilder model("charged", {});
  model.output(add(model, model.input("x", {1, 4, 6, 8})));
  const auto network = io::import_chip_network_bytes(model.bytes(), "charged.onnx", machine, options);
  if (!network.ok()) return network.error().message;
  const auto& op = network->operators.back();
  return fmt::format("{} {}", op.alu_ops, fmt::join(op.calls, " "));
}

TEST(OnnxChipNetwork, OperatorsWithoutAFunctionAreComposedOfOthers) {
  const auto node = [](const char* type) {
    return [type](ModelBuilder& m, const Value& v) { return m.add(type, {v}); };
  };
  const auto machine = with_functions({{"max", "max", 2},
                                       {"minus", "sub", 3},
                                       {"exp", "exp", 5},
                                       {"sum", "sum", 7},
                                       {"by", "div", 11},
                                       {"lut", "table", 13},
                                       {"mul", "mul", 17}});
  EXPECT_EQ(charged(node("Relu"), machine), "64 max");
  EXPECT_EQ(charged(node("Clip"), machine), "128 max max");
  EXPECT_EQ(charged(node("Sigmoid"), machine), "416 lut");
  EXPECT_EQ(charged(node("Softmax"), machine), fmt::format("{} max minus exp sum by", 32 * 28));
  const auto pool = [](const char* type) {
    return [type](ModelBuilder& m, const Value& v) {
      return m.add(type, {v},
                   {{"kernel_shape", std::vector<Int>{2, 2}}, {"strides", std::vector<Int>{2, 2}}});
    };
  };
  EXPECT_EQ(charged(pool("MaxPool"), machine), "128 max") << "64 elements read, 2 operations each";
  EXPECT_EQ(charged(pool("AveragePool"), machine), fmt::format("{} sum mul", 64 * 7 + 16 * 17));
  EXPECT_EQ(charged(node("GlobalAveragePool"), machine), fmt::format("{} sum mul", 192 * 7 + 4 * 17));
  // A dedicated function has priority, whatever its name.
  auto own = machine;
  own.functions->push_back({"soft9", "softmax", 1});
  own.functions->push_back({"pool", "maxpool", 1});
  EXPECT_EQ(charged(node("Softmax"), own), "32 soft9");
  EXPECT_EQ(charged(pool("MaxPool"), own), "64 pool");
}

TEST(OnnxChipNetwork, MissingFunctionsAreNamed) {
  const auto softmax = [](ModelBuilder& m, const Value& v) { return m.add("Softmax", {v}); };
  EXPECT_EQ(
      charged(softmax, with_functions({{"max", "max", 1}, {"div", "div", 1}})),
      "node 'Softmax_1' (Softmax): the chip has no function for it; missing: softmax; for max sub exp sum "
      "div: sub, exp, sum; for max sub table sum table mul: sub, table, sum, mul");
  const auto add = [](ModelBuilder& m, const Value& v) { return m.add("Add", {v, m.add("Relu", {v})}); };
  EXPECT_EQ(charged(add, with_functions({{"relu", "relu", 1}})),
            "node 'Add_2' (Add): the chip has no function for it; missing: add");
}

TEST(OnnxChipNetwork, UnknownOperatorsAreRefusedUnlessTheirCostIsGiven) {
  const auto unknown = [](ModelBuilder& m, const Value& v) {
    return m.add("LRN", {m.add("Relu", {v})}, {{"size", Int{3}}});
  };
  EXPECT_EQ(charged(unknown, {}),
            "node 'LRN_2' (LRN): unknown operator type; --unknown N counts N operations per element for it");
  io::OnnxOptions options;
  options.unknown = 6;
  EXPECT_EQ(charged(unknown, {}, options), "192 ");
  EXPECT_EQ(charged(unknown, with_functions({{"relu", "relu", 1}, {"lrn", "lrn", 9}})), "288 lrn");
}

// Tests the pixels for which windows wait in streams (docs/models/chip.md, section 5).
TEST(OnnxChipNetwork, WindowsWaitForTheirPixels) {
  ModelBuilder model("pixels", {});
  const Value x = model.input("x", {1, 4, 6, 8});
  const Value made = model.add("Conv", {x, model.weight("w", {4, 4, 3, 3})},
                               {{"pads", std::vector<Int>{1, 1, 1, 1}}, {"strides", std::vector<Int>{2, 2}}});
  const Value flat = model.add("Flatten", {model.add("Relu", {made})});
  model.output(model.add("Gemm", {flat, model.weight("fc", {48, 5})}));
  const auto network = io::import_chip_network_bytes(model.bytes(), "pixels.onnx", {});
  ASSERT_TRUE(network.ok()) << network.error().to_string();
  const auto text = [&](std::size_t i) {
    const auto& input = network->operators[i].inputs.front();
    const auto pixels = input.pixels.value_or(chip::Need{-1, -1, -1});
    return fmt::format("{} {} {} taps {} {}", pixels.a, pixels.b, pixels.c, input.taps, input.tap_step);
  };
  EXPECT_EQ(text(0), "2 1 1 taps 3 1");
  EXPECT_EQ(text(1), "1 0 1 taps 1 0");
  EXPECT_EQ(text(2), "-1 -1 -1 taps 3 1");
}

TEST(OnnxChipNetwork, NamesNodesThatCannotBeCompiled) {
  ModelBuilder model("bad", {});
  const Value x = model.input("x", {2, 4, 6, 8});
  model.output(model.add("Conv", {x, model.weight("w", {4, 4, 1, 1})}));
  const auto network = io::import_chip_network_bytes(model.bytes(), "bad.onnx", {});
  ASSERT_FALSE(network.ok());
  EXPECT_EQ(network.error().to_string(),
            "bad.onnx: node 'Conv_1' (Conv): its input has the shape [2, 4, 6, 8]; expected a batch of 1");
}

}  // namespace
}  // namespace nestor::tests::chip_network_test

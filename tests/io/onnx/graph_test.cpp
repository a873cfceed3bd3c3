// Tests of the import of the graph around the layers: order, functions, control flow, and the number of
// operators that are not mapped.
#include "io/files.h"
#include "io/layer_file.h"
#include "io/onnx/built_model.h"

namespace nestor::io::graph_test {
namespace {

using ::testing::ElementsAre;

::onnx::NodeProto node(const std::string& op, const std::vector<std::string>& inputs,
                       const std::vector<std::string>& outputs) {
  ::onnx::NodeProto proto;
  proto.set_op_type(op);
  for (const auto& name : inputs) proto.add_input(name);
  for (const auto& name : outputs) proto.add_output(name);
  return proto;
}

TEST(OnnxGraph, counts_every_operator_that_it_does_not_map) {
  ModelBuilder model("count", {});
  Value x = model.input("x", {1, 3, 8, 8});
  x = model.add("Relu", {model.add("Conv", {x, model.weight("w", {4, 3, 3, 3})})});
  model.output(model.add("Relu", {model.add("GlobalAveragePool", {x})}));
  EXPECT_THAT(import_built(model).unmapped,
              ElementsAre(UnmappedOperator{"GlobalAveragePool", 1}, UnmappedOperator{"Relu", 2}));
}

TEST(OnnxGraph, may_list_nodes_in_any_order) {
  ModelBuilder model("order", {});
  const Value first = model.add("Conv", {model.input("x", {1, 3, 8, 8}), model.weight("w", {4, 3, 3, 3})});
  model.output(model.add("Conv", {model.add("Relu", {first}), model.weight("v", {5, 4, 3, 3})}));
  auto& nodes = *model.proto().mutable_graph()->mutable_node();
  nodes.SwapElements(0, 2);
  const Network network = import_built(model);
  ASSERT_EQ(network.layers.size(), 2U);
  EXPECT_EQ(network.layers[0].shape.bounds, (Extents{1, 4, 3, 6, 6, 3, 3, 1}));
  EXPECT_EQ(network.layers[1].shape.bounds, (Extents{1, 5, 4, 4, 4, 3, 3, 1}));
}

TEST(OnnxGraph, lists_operators_in_bodies_of_control_flow) {
  ModelBuilder model("flow", {});
  const Value x = model.input("x", {1, 3, 8, 8});
  model.output(model.add("If", {model.weight("condition", {}, 9)}));
  auto& flow = *model.proto().mutable_graph()->mutable_node(0);
  for (const std::string branch : {"then_branch", "else_branch"}) {
    auto& attribute = *flow.add_attribute();
    attribute.set_name(branch);
    attribute.set_type(::onnx::AttributeProto::GRAPH);
    *attribute.mutable_g()->add_node() = node("Conv", {x, "w"}, {"y"});
    *attribute.mutable_g()->add_node() = node("Loop", {}, {});
    auto& inner = *attribute.mutable_g()->mutable_node(1)->add_attribute();
    inner.set_name("body");
    *inner.mutable_g()->add_node() = node("MatMul", {"a", "b"}, {"c"});
  }
  const Network network = import_built(model);
  EXPECT_TRUE(network.layers.empty());
  EXPECT_THAT(network.unmapped,
              ElementsAre(UnmappedOperator{"If", 1}, UnmappedOperator{"If > Conv", 2},
                          UnmappedOperator{"If > Loop", 2}, UnmappedOperator{"If > Loop > MatMul", 2}));
}

// Returns a model that calls a function "lib.layer" twice. The function has one convolution, whose strides
// the caller specifies.
ModelBuilder with_function() {
  ModelBuilder model("functions", {.opset = 18});
  const Value w = model.weight("w", {3, 3, 3, 3});
  model.name_next("first");
  const Value first =
      model.add("layer", {model.input("x", {1, 3, 9, 9}), w}, {{"step", std::vector<Int>{2, 2}}});
  model.name_next("second");
  model.output(model.add("layer", {first, w}, {{"step", std::vector<Int>{1, 1}}}));
  for (auto& call : *model.proto().mutable_graph()->mutable_node()) call.set_domain("lib");
  auto& opset = *model.proto().add_opset_import();
  opset.set_domain("lib");
  opset.set_version(1);
  auto& function = *model.proto().add_functions();
  function.set_domain("lib");
  function.set_name("layer");
  function.add_input("in");
  function.add_input("weight");
  function.add_output("out");
  function.add_attribute("step");
  function.add_opset_import()->set_version(18);
  *function.add_node() = node("Conv", {"in", "weight"}, {"inner"});
  function.mutable_node(0)->set_name("conv");
  auto& strides = *function.mutable_node(0)->add_attribute();
  strides.set_name("strides");
  strides.set_ref_attr_name("step");
  strides.set_type(::onnx::AttributeProto::INTS);
  *function.add_node() = node("Relu", {"inner"}, {"out"});
  return model;
}

TEST(OnnxGraph, inlines_local_functions_with_the_attributes_of_each_call) {
  const Network network = import_built(with_function());
  ASSERT_EQ(network.layers.size(), 2U);
  EXPECT_EQ(network.layers[0].name, "first/conv");
  EXPECT_EQ(network.layers[0].shape.bounds, (Extents{1, 3, 3, 4, 4, 3, 3, 1}));
  EXPECT_EQ(network.layers[0].shape.stride, (std::array<Int, 2>{2, 2}));
  EXPECT_EQ(network.layers[1].name, "second/conv");
  EXPECT_EQ(network.layers[1].shape.bounds, (Extents{1, 3, 3, 2, 2, 3, 3, 1}));
  EXPECT_THAT(network.unmapped, ElementsAre(UnmappedOperator{"Relu", 2}));
}

TEST(OnnxGraph, reads_default_attributes_of_functions_that_libonnx_does_not_know) {
  ModelBuilder model = with_function();
  for (auto& call : *model.proto().mutable_graph()->mutable_node()) call.clear_attribute();
  ::onnx::AttributeProto fallback;
  fallback.set_name("step");
  fallback.set_type(::onnx::AttributeProto::INTS);
  for (const Int step : {3, 3}) fallback.add_ints(step);
  auto& function = *model.proto().mutable_functions(0);
  function.GetReflection()->MutableUnknownFields(&function)->AddLengthDelimited(11,
                                                                                fallback.SerializeAsString());
  model.proto()
      .mutable_graph()
      ->mutable_input(0)
      ->mutable_type()
      ->mutable_tensor_type()
      ->mutable_shape()
      ->mutable_dim(2)
      ->set_dim_value(21);
  const Network network = import_built(model);
  ASSERT_EQ(network.layers.size(), 2U);
  EXPECT_EQ(network.layers[0].shape.stride, (std::array<Int, 2>{3, 3}));
  EXPECT_EQ(network.layers[0].shape.bound(Dim::P), 7);
}

TEST(OnnxGraph, refuses_functions_that_call_themselves) {
  ModelBuilder model = with_function();
  auto& function = *model.proto().mutable_functions(0);
  function.mutable_node(1)->set_domain("lib");
  function.mutable_node(1)->set_op_type("layer");
  EXPECT_EQ(message_of(model), "built.onnx: function 'lib.layer' calls itself");
}

// Each function calls the next one twice: 20 functions give 2^20 nodes.
TEST(OnnxGraph, refuses_functions_that_explode) {
  ModelBuilder model("bomb", {});
  const auto add_function = [&](int level) {
    auto& function = *model.proto().add_functions();
    function.set_domain("lib");
    function.set_name("f" + std::to_string(level));
    function.add_input("in");
    function.add_output("out");
    *function.add_node() = node(level == 20 ? "Relu" : "f" + std::to_string(level + 1), {"in"}, {"mid"});
    *function.add_node() = node(level == 20 ? "Relu" : "f" + std::to_string(level + 1), {"mid"}, {"out"});
    if (level < 20) {
      for (auto& call : *function.mutable_node()) call.set_domain("lib");
    }
  };
  for (int level = 0; level <= 20; ++level) add_function(level);
  model.output(model.add("f0", {model.input("x", {1, 3})}));
  model.proto().mutable_graph()->mutable_node(0)->set_domain("lib");
  EXPECT_EQ(message_of(model), "built.onnx: more than 200000 nodes once functions are inlined");
}

TEST(OnnxGraph, limits_the_expansion_of_small_files) {
  const std::string nodes(10'000'000, '\x0a');  // every two bytes become an empty node
  std::string graph;
  for (std::size_t i = 0; i < nodes.size() / 2; ++i) graph.append("\x0a\x00", 2);
  std::string file = "\x3a";
  for (std::size_t size = graph.size(); size > 0; size >>= 7U) {
    file.push_back(static_cast<char>((size & 0x7FU) | (size >= 0x80U ? 0x80U : 0U)));
  }
  const auto network = import_onnx_bytes(file + graph, "bomb.onnx");
  ASSERT_FALSE(network.ok());
  EXPECT_EQ(network.error().to_string(), "bomb.onnx: more than 4000000 fields");
}

TEST(OnnxGraph, truncated_anywhere_is_an_error_and_never_a_smaller_network) {
  ModelBuilder model("truncate", {});
  Value x = model.input("x", {1, 3, 8, 8});
  for (int i = 0; i < 3; ++i) x = model.add("Conv", {x, model.weight("w" + std::to_string(i), {3, 3, 1, 1})});
  model.output(x);
  // The order of fields in a file is free. In this file, the version of the operators is the last field.
  const std::string bytes = model.bytes();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto network = import_onnx_bytes(bytes.substr(0, size), "cut.onnx");
    EXPECT_FALSE(network.ok()) << size << " of " << bytes.size();
  }
}

TEST(OnnxGraph, gives_names_that_result_files_accept) {
  ModelBuilder model("names", {});
  const Value x = model.input("x", {1, 3, 8, 8});
  const Value w = model.weight("w", {3, 3, 1, 1});
  model.name_next("/features/0.0/Conv");
  const Value first = model.add("Conv", {x, w});
  model.name_next(
      "tab\t, bell\a, Gr\xc3\xb6\xc3\x9f"
      "e, broken \xc3");
  const Value second = model.add("Conv", {first, w});
  model.name_next(std::string(1000, 'x'));
  model.output(model.add("Conv", {second, w}));
  const Network network = import_built(model);
  ASSERT_EQ(network.layers.size(), 3U);
  EXPECT_EQ(network.layers[1].name,
            "tab?, bell?, Gr\xc3\xb6\xc3\x9f"
            "e, broken ?");
  const auto reread = parse_layers(to_text(network_to_json(network)), "names.json");
  ASSERT_TRUE(reread.ok()) << reread.error().to_string();
  EXPECT_EQ(reread->layers, network.layers);
  EXPECT_EQ(reread->unmapped, network.unmapped);
}

TEST(OnnxGraph, marks_malformed_characters_and_control_characters_of_latin_1_in_names) {
  ModelBuilder model("names", {});
  const Value w = model.weight("w", {3, 3, 1, 1});
  model.name_next(
      "overlong \xe0\x80\xaf, surrogate \xed\xa0\x80, beyond \xf4\x90\x80\x80, CSI \xc2\x9b"
      "m, space \xc2\xa0");
  model.output(model.add("Conv", {model.input("x", {1, 3, 8, 8}), w}));
  const Network network = import_built(model);
  ASSERT_EQ(network.layers.size(), 1U);
  EXPECT_EQ(network.layers[0].name, "overlong ???, surrogate ???, beyond ????, CSI ?m, space \xc2\xa0");
}

TEST(OnnxGraph, never_reads_weights) {
  ModelBuilder model("weights", {});
  model.output(model.add("MatMul", {model.input("x", {4, 1000}), model.weight("w", {1000, 1000})}));
  model.proto().mutable_graph()->mutable_initializer(0)->set_raw_data(std::string(4'000'000, 'w'));
  const auto parsed = onnx_import::parse_model(model.bytes(), "weights.onnx");
  ASSERT_TRUE(parsed.ok());
  EXPECT_LT((*parsed)->ByteSizeLong(), 1000U);
  EXPECT_EQ(import_one(model).shape.bounds, (Extents{1, 1000, 1000, 4, 1, 1, 1, 1}));
}

}  // namespace
}  // namespace nestor::io::graph_test

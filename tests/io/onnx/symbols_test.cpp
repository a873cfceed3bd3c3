// Tests of the import of symbolic dimensions: the batch, named dimensions, and dimensions without a value.
#include "io/onnx/built_model.h"

namespace nestor::io::symbols_test {
namespace {

using ::testing::HasSubstr;

auto& dims_of(ModelBuilder& model, int input) {
  return *model.proto()
              .mutable_graph()
              ->mutable_input(input)
              ->mutable_type()
              ->mutable_tensor_type()
              ->mutable_shape();
}

ModelBuilder convolution() {
  ModelBuilder model("symbols", {.symbolic_batch = true});
  model.output(model.add("Conv", {model.input("x", {1, 3, 8, 8}), model.weight("w", {4, 3, 3, 3})}));
  return model;
}

TEST(Symbols, bind_the_batch_to_1_unless_told) {
  EXPECT_EQ(import_one(convolution()).shape.bound(Dim::N), 1);
  EXPECT_EQ(import_one(convolution(), {.batch = 16}).shape.bound(Dim::N), 16);
}

TEST(Symbols, take_a_leading_dimension_without_a_name_for_the_batch) {
  ModelBuilder unnamed = convolution();
  dims_of(unnamed, 0).mutable_dim(0)->clear_value();
  EXPECT_EQ(import_one(unnamed, {.batch = 5}).shape.bound(Dim::N), 5);
  dims_of(unnamed, 0).mutable_dim(0)->set_dim_value(-1);
  EXPECT_EQ(import_one(unnamed, {.batch = 6}).shape.bound(Dim::N), 6);
}

TEST(Symbols, other_than_the_batch_need_a_value) {
  ModelBuilder model = convolution();
  dims_of(model, 0).mutable_dim(2)->set_dim_param("height");
  EXPECT_EQ(
      message_of(model),
      "built.onnx: dimension 2 of input 'x' is the symbol 'height', which has no value; bind it with --dim "
      "'height=VALUE'");
  EXPECT_EQ(import_one(model, {.dims = {{"height", 10}}}).shape.bound(Dim::P), 8);
  dims_of(model, 0).mutable_dim(2)->clear_value();
  EXPECT_THAT(message_of(model), HasSubstr("is the symbol 'x[2]'"));
  EXPECT_EQ(import_one(model, {.dims = {{"x[2]", 12}}}).shape.bound(Dim::P), 10);
}

TEST(Symbols, in_stated_shapes_take_the_same_values) {
  ModelBuilder model = convolution();
  model.proto().mutable_graph()->mutable_node(0)->set_input(0, "y");
  auto& mystery = *model.proto().mutable_graph()->add_node();
  mystery.set_op_type("Mystery");
  mystery.add_input("x");
  mystery.add_output("y");
  auto& info = *model.proto().mutable_graph()->add_value_info();
  info = model.proto().graph().input(0);
  info.set_name("y");
  EXPECT_EQ(import_one(model, {.batch = 7}).shape.bound(Dim::N), 7);
}

TEST(Symbols, that_lead_only_some_inputs_are_not_the_batch) {
  ModelBuilder model("length", {});
  const Value tokens = model.input("tokens", {1, 7});
  const Value mask = model.input("mask", {1, 1});
  dims_of(model, 0).mutable_dim(0)->set_dim_param("length");
  dims_of(model, 1).mutable_dim(1)->set_dim_param("length");
  model.output(model.add("Add", {model.add("MatMul", {tokens, model.weight("w", {7, 7})}), mask}));
  EXPECT_THAT(message_of(model), HasSubstr("the symbol 'length', which has no value"));
}

TEST(Symbols, named_batch_may_be_in_any_position) {
  ModelBuilder model("cache", {.symbolic_batch = true});
  const Value x = model.input("x", {1, 4, 5});
  const Value cache = model.input("cache", {2, 1, 4, 5});
  dims_of(model, 1).mutable_dim(0)->set_dim_value(2);
  dims_of(model, 1).mutable_dim(1)->set_dim_param("batch");
  model.output(model.add("MatMul", {x, model.add("Transpose", {cache})}));
  EXPECT_THAT(message_of(model, {.batch = 4}),
              HasSubstr("shapes [4, 4, 5] and [5, 4, 4, 2] do not multiply"));
}

TEST(Symbols, that_do_not_exist_cannot_be_bound) {
  EXPECT_EQ(message_of(convolution(), {.dims = {{"batsh", 4}}}),
            "--dim batsh: no input has a symbolic dimension of this name (did you mean 'batch'?)");
  EXPECT_EQ(message_of(convolution(), {.dims = {{"batch", 4}, {"batch", 5}}}), "--dim batch is given twice");
  EXPECT_EQ(message_of(convolution(), {.dims = {{"batch", 0}}}),
            "--dim batch is 0; expected 1 to 1099511627776");
  EXPECT_EQ(message_of(convolution(), {.batch = -2}), "--batch is -2; expected 1 to 1099511627776");
}

TEST(Symbols, a_fixed_batch_cannot_be_changed) {
  ModelBuilder model("fixed", {});
  model.output(model.add("Relu", {model.input("x", {1, 3})}));
  EXPECT_EQ(message_of(model, {.batch = 4}),
            "--batch 4: the model's inputs have no symbolic leading dimension, so its batch is fixed");
  EXPECT_EQ(message_of(model, {.batch = 1}), "accepted");
}

}  // namespace
}  // namespace nestor::io::symbols_test

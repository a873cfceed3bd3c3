// Tests of reading programs of several operations from MLIR (docs/mlir.md): the reference cases, and other
// forms that MLIR compilers print.
#include <gtest/gtest.h>

#include <fstream>

#include "io/cnm/mlir.h"
#include "io/cnm/program_file.h"
#include "places.h"

namespace nestor::programs_test {
namespace {

io::Json program_of(const std::string& text, const io::MlirChoices& choices = {}) {
  const auto read = io::parse_mlir_programs(text, "text", choices);
  EXPECT_TRUE(read.ok()) << read.error().to_string() << '\n' << text;
  if (!read || read->programs.empty()) return {};
  return io::to_json(read->programs[0]);
}

std::string error_of(const std::string& text, const io::MlirChoices& choices = {}) {
  const auto read = io::parse_mlir_programs(text, "in.mlir", choices);
  return read.ok() ? "accepted" : read.error().to_string();
}

TEST(MlirPrograms, EqualTheReferenceCases) {
  std::ifstream file(NESTOR_SHARED_DIR "/data/cnm/examples2.json");
  if (!file) GTEST_SKIP() << "no reference data";
  int cases = 0;
  const auto examples = io::Json::parse(file);
  for (const auto& example : examples["mlir"]) {
    const auto program = program_of(example["mlir"]);
    EXPECT_EQ(program.dump(1), example["program"].dump(1)) << example["kind"];
    ++cases;
  }
  EXPECT_GE(cases, 10);
}

TEST(MlirPrograms, EveryKernelPrintsAndReadsBack) {
  std::ifstream file(NESTOR_SHARED_DIR "/data/cnm/examples2.json");
  if (!file) GTEST_SKIP() << "no reference data";
  const auto examples = io::Json::parse(file);
  for (const auto& example : examples["mlir"]) {
    const auto read = io::parse_mlir_programs(std::string(example["mlir"]), "text");
    ASSERT_TRUE(read.ok());
    for (const auto& operation : read->programs[0].operations) {
      if (!operation.kernel) continue;
      const auto text = io::to_mlir(*operation.kernel);
      const auto again = io::parse_mlir(text, "again");
      ASSERT_TRUE(again.ok()) << again.error().to_string() << '\n' << text;
      EXPECT_EQ(*again, *operation.kernel) << text;
    }
  }
}

const std::string vector = "memref<64xf32>";

std::string chain(const std::string& statements) {
  return "func.func @f(%a: " + vector + ", %b: " + vector + ", %c: " + vector + ") {\n" + statements +
         "return\n}\n";
}
std::string add(const std::string& x, const std::string& y, const std::string& out) {
  return "linalg.add ins(" + x + ", " + y + " : " + vector + ", " + vector + ") outs(" + out + " : " +
         vector + ")\n";
}

TEST(MlirPrograms, ABufferWrittenAgainIsANewValue) {
  const auto program =
      program_of(chain(add("%a", "%b", "%c") + add("%a", "%c", "%c") + add("%c", "%c", "%a")));
  // An argument that is written before it is read is not an input of the program.
  EXPECT_EQ(program["inputs"], io::Json({"a", "b"}));
  EXPECT_EQ(program["outputs"], io::Json({"a#2", "c#2"}));
  ASSERT_EQ(program["ops"].size(), 3U);
  EXPECT_EQ(program["ops"][0]["writes"], io::Json({"c"}));
  // A buffer that is read and written at the same index is a single operand, the output.
  EXPECT_EQ(program["ops"][1]["reads"], io::Json({"a", "c"}));
  EXPECT_EQ(program["ops"][1]["kernel"]["operands"].size(), 2U);
  EXPECT_EQ(program["ops"][1]["kernel"]["operands"][1],
            io::Json::parse(R"({"value": "c#2", "map": ["d0"], "out": true})"));
  // A value that is used for both inputs of an operation is a single operand.
  EXPECT_EQ(program["ops"][2]["reads"], io::Json({"c#2"}));
  EXPECT_EQ(program["ops"][2]["kernel"]["operands"].size(), 2U);
}

TEST(MlirPrograms, AFillThatIsReadIsAnOperation) {
  const std::string fill = "%z = arith.constant 0.0 : f32\n%t = memref.alloc() : " + vector +
                           "\nlinalg.fill ins(%z : f32) outs(%t : " + vector + ")\n";
  const auto read = program_of(chain(fill + add("%a", "%t", "%c")));
  ASSERT_EQ(read["ops"].size(), 2U);
  EXPECT_EQ(read["ops"][0]["writes"], io::Json({"t"}));
  EXPECT_EQ(read["ops"][1]["reads"], io::Json({"a", "t"}));
  const auto covered = program_of(chain(fill + add("%a", "%b", "%t") + add("%a", "%t", "%c")));
  ASSERT_EQ(covered["ops"].size(), 2U);
  EXPECT_EQ(covered["ops"][0]["writes"], io::Json({"t"}));
}

TEST(MlirPrograms, AnOutputThatIsNotFilledIsRead) {
  const std::string matvec =
      "linalg.matvec ins(%m, %x : tensor<8x4xi32>, tensor<4xi32>) outs(%y : tensor<8xi32>) -> "
      "tensor<8xi32>\n";
  const auto program = program_of(
      "func.func @f(%m: tensor<8x4xi32>, %x: tensor<4xi32>, %y: tensor<8xi32>) -> tensor<8xi32> {\n%r = " +
      matvec + "return %r : tensor<8xi32>\n}\n");
  EXPECT_EQ(program["ops"][0]["reads"], io::Json({"m", "x", "y"}));
  EXPECT_EQ(program["ops"][0]["writes"], io::Json({"r"}));
}

TEST(MlirPrograms, OpenExtentsFollowFromShapes) {
  const std::string text =
      "func.func @f(%x: tensor<?x8xf32>, %w: tensor<8x4xf32>) -> tensor<?x4xf32> {\n"
      "  %c0 = arith.constant 0 : index\n  %z = arith.constant 0.0 : f32\n"
      "  %n = tensor.dim %x, %c0 : tensor<?x8xf32>\n  %e = tensor.empty(%n) : tensor<?x4xf32>\n"
      "  %i = linalg.fill ins(%z : f32) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>\n"
      "  %r = linalg.matmul ins(%x, %w : tensor<?x8xf32>, tensor<8x4xf32>) outs(%i : tensor<?x4xf32>) -> "
      "tensor<?x4xf32>\n  return %r : tensor<?x4xf32>\n}\n";
  const auto program = program_of(text, {{"x=16x8"}, {}});
  EXPECT_EQ(program["values"]["r"]["type"], "16x4xf32");
  EXPECT_EQ(program["ops"][0]["kernel"]["dims"], io::Json({16, 4, 8}));
  EXPECT_EQ(
      error_of(text),
      "in.mlir:1:14: an extent of %x is unknown, expected static extents of the arguments that determine it");
  EXPECT_EQ(error_of(text, {{"x=16x9"}, {}}),
            "in.mlir:1:14: the extents of %x in --shape differ from its type");
}

TEST(MlirPrograms, FunctionsArePickedByName) {
  const std::string two = "module {\n" + chain(add("%a", "%b", "%c")) +
                          "func.func private @printed(memref<*xf32>)\n"
                          "func.func @g(%a: " +
                          vector + ", %b: " + vector + ", %c: " + vector + ") {\n" + add("%a", "%b", "%c") +
                          add("%a", "%c", "%b") + "return\n}\n}\n";
  const auto all = io::parse_mlir_programs(two, "text");
  ASSERT_TRUE(all.ok()) << all.error().to_string();
  EXPECT_EQ(all->programs.size(), 2U);
  EXPECT_EQ(program_of(two, {{}, "g"})["ops"].size(), 2U);
  EXPECT_EQ(program_of(two, {{}, "g"})["ops"][1]["name"], "g.2");
  EXPECT_NE(error_of(two, {{}, "h"}).find("expected a function with a linalg operation named 'h'"),
            std::string::npos);
}

TEST(MlirPrograms, SeveralResultsAreSeveralValues) {
  const std::string t = "tensor<8xf32>";
  const auto program = program_of(
      "#m = affine_map<(d0) -> (d0)>\nfunc.func @f(%a: " + t + ") -> (" + t + ", " + t +
      ") {\n%e = tensor.empty() : " + t +
      "\n%r:2 = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = [\"parallel\"]} ins(%a : " +
      t + ") outs(%e, %e : " + t + ", " + t +
      ") {\n^bb0(%i: f32, %o: f32, %p: f32):\n"
      "%s = arith.addf %i, %i fastmath<contract> : f32\nlinalg.yield %s, %i : f32, f32\n} -> (" +
      t + ", " + t + ")\nreturn %r#0, %r#1 : " + t + ", " + t + "\n}\n");
  EXPECT_EQ(program["outputs"], io::Json({"r#0", "r#1"}));
  EXPECT_EQ(program["ops"][0]["writes"], io::Json({"r#0", "r#1"}));
}

TEST(MlirPrograms, RegionsOfMapAndReduceAreRead) {
  const std::string text =
      "func.func @f(%a: tensor<8x4xf32>) -> tensor<8xf32> {\n%z = arith.constant 0.0 : f32\n"
      "%e = tensor.empty() : tensor<8x4xf32>\n%o = tensor.empty() : tensor<8xf32>\n"
      "%m = linalg.map ins(%a : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>)\n(%x: f32) {\n"
      "%y = arith.mulf %x, %x : f32\nlinalg.yield %y : f32\n}\n"
      "%i = linalg.fill ins(%z : f32) outs(%o : tensor<8xf32>) -> tensor<8xf32>\n"
      "%r = linalg.reduce ins(%m : tensor<8x4xf32>) outs(%i : tensor<8xf32>) dimensions = [1]\n"
      "(%x: f32, %acc: f32) {\n%y = arith.addf %x, %acc : f32\nlinalg.yield %y : f32\n}\n"
      "return %r : tensor<8xf32>\n}\n";
  const auto program = program_of(text);
  ASSERT_EQ(program["ops"].size(), 2U);
  EXPECT_EQ(program["ops"][0]["kernel"]["region"], io::Json({"mulf"}));
  EXPECT_EQ(program["ops"][1]["kernel"]["reduction"], io::Json({0, 1}));
}

std::string nest(const std::string& loops, const std::string& body, int closing) {
  std::string text = "func.func @f(%a: memref<8x8xf32>, %c: memref<8xf32>) {\n" + loops + body;
  for (int i = 0; i < closing; ++i) text += "}\n";
  return text + "return\n}\n";
}

TEST(MlirPrograms, ImperfectNestsAndOtherLoopsAreRefused) {
  const std::string i = "affine.for %i = 0 to 8 {\n", j = "affine.for %j = 0 to 8 {\n";
  const std::string load = "%x = affine.load %a[%i, %j] : memref<8x8xf32>\n";
  const std::string sum =
      "%s = affine.load %c[%i] : memref<8xf32>\n%t = arith.addf %s, %x : f32\n"
      "affine.store %t, %c[%i] : memref<8xf32>\n";
  EXPECT_EQ(program_of(nest(i + j, load + sum, 2))["ops"][0]["kernel"]["reduction"], io::Json({0, 1}));
  EXPECT_EQ(error_of(nest(i, "%z = affine.load %c[%i] : memref<8xf32>\n" + j + load + sum, 2)),
            "in.mlir:4:1: an imperfect nest of affine.for, expected loads, arith and stores only in the "
            "innermost loop");
  EXPECT_EQ(error_of(nest("affine.for %i = 1 to 8 {\n", "", 1)),
            "in.mlir:2:17: expected a loop from 0, found '1'");
  EXPECT_EQ(error_of(nest("affine.for %i = 0 to 8 step 2 {\n", "", 1)),
            "in.mlir:2:29: expected a step of 1, found '2'");
  EXPECT_EQ(error_of(nest("affine.for %i = 0 to 8 iter_args(%s = %z) -> (f32) {\n", "", 1)),
            "in.mlir:2:24: expected a loop without iter_args, whose sum is in a buffer, found 'iter_args'");
  EXPECT_EQ(
      error_of(nest(i, "affine.if #set(%i) {\n}\n", 1)),
      "in.mlir:3:1: 'affine.if' is not supported: expected perfect nests of affine.for around affine.load, "
      "arith and affine.store");
  EXPECT_EQ(error_of(nest(i + j, load + "%y = affine.load %c[%j] : memref<8xf32>\n" + sum, 2)),
            "in.mlir:5:18: a load of an element of %c that differs from the stored one");
}

}  // namespace
}  // namespace nestor::programs_test

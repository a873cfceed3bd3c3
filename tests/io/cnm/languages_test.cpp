// Tests of hand-written MLIR and CNM IR, of their lowering (docs/models/cnm.md, "Languages", "Lowering"), and
// of system parameters at their limits.
#include <gtest/gtest.h>

#include "io/cnm/cnm_ir.h"
#include "io/cnm/mlir.h"
#include "io/cnm/system_file.h"
#include "model/cnm/estimate/estimate_kernel.h"

namespace nestor::languages_test {
namespace {

cnm::Program program_of_ir(const std::string& text) {
  const auto system = io::read_cnm_system("upmem", {});
  const auto kernel = io::parse_cnm_ir(text, "text");
  EXPECT_TRUE(kernel.ok()) << kernel.error().to_string();
  if (!system || !kernel) return {};
  const auto listing = cnm::lower_to_listing(*kernel, cnm::default_multiply_k);
  EXPECT_EQ(listing.fault, "");
  const auto program = cnm::program_of(listing.value, *system);
  EXPECT_EQ(program.error, "");
  return cnm::simplify(program.program).value_or(cnm::Program{});
}

const std::string head = "cnm 1 k\noperand X : i32[64] in\noperand Y : i32[64] out\nbuffer a : i32[64]\n";

TEST(CnmIr, ALoopOfOneTripVanishes) {
  // The request takes three slots: two for the size and one before it. The loop of one iteration takes none.
  const std::string plain = head + "{ read X[0] -> a size 64 }\n";
  EXPECT_EQ(program_of_ir(head + "{ for i in 1 { read X[64*i] -> a size 64 } }\n"), program_of_ir(plain));
  EXPECT_EQ(program_of_ir(plain), (cnm::Program{cnm::barrier(), cnm::slots(240 + 3), cnm::read(256)}));
  // Requests that become adjacent when a loop of one iteration is removed form one run of code.
  EXPECT_EQ(program_of_ir(head + "{ for i in 1 { read X[0] -> a size 64 } write a -> Y[0] size 64 }\n"),
            program_of_ir(head + "{ read X[0] -> a size 64 write a -> Y[0] size 64 }\n"));
}

TEST(CnmIr, TheVariableOfAVanishedLoopIsZero) {
  // 1 slot for the load, 1 for the store, and 1 more if the address varies (here with i).
  EXPECT_EQ(program_of_ir(head + "{ for e in 1 { u = load a[e] store u -> a[e] } }\n"),
            program_of_ir(head + "{ u = load a[0] store u -> a[0] }\n"));
  EXPECT_EQ(program_of_ir(head + "{ for i in 3 { barrier for e in 1 { u = load a[i + e] } } }\n"),
            program_of_ir(head + "{ for i in 3 { barrier u = load a[i] } }\n"));
  // A loop of one iteration does not advance an operand, and an inner loop may reuse the name of its
  // variable.
  EXPECT_EQ(program_of_ir(head + "{ for i in 1 { for j in 4 { read X[16*j + 64*i] -> a size 16 } } }\n"),
            program_of_ir(head + "{ for j in 4 { read X[16*j] -> a size 16 } }\n"));
  EXPECT_EQ(program_of_ir(head + "{ for i in 1 { for i in 4 { read X[16*i] -> a size 16 } } }\n"),
            program_of_ir(head + "{ for i in 4 { read X[16*i] -> a size 16 } }\n"));
  EXPECT_NE(program_of_ir(head + "{ for i in 2 { read X[16*i] -> a size 16 } }\n"),
            program_of_ir(head + "{ read X[0] -> a size 16 }\n"));
}

std::string function(const std::string& statements) {
  return "func.func @f(%a: memref<16xi32>, %b: memref<16xi32>, %o: memref<16xi32>, %v: i32) {\n  %c = "
         "arith.constant -3 : i32\n" +
         statements + "  return\n}\n";
}

TEST(Mlir, AFillByItselfIsAnOperation) {
  const auto kernel =
      io::parse_mlir(function("linalg.fill ins(%c : i32) outs(%o : memref<16xi32>)\n"), "text");
  ASSERT_TRUE(kernel.ok()) << kernel.error().to_string();
  EXPECT_EQ(kernel->name, "f");
  EXPECT_EQ(kernel->extents, (std::vector<Int>{16}));
  ASSERT_EQ(kernel->operands.size(), 1U);
  EXPECT_TRUE(kernel->operands[0].output);
  ASSERT_EQ(kernel->region.size(), 1U);
  EXPECT_EQ(kernel->region[0].text, "-3");
  const auto again = io::parse_mlir(io::to_mlir(*kernel), "text");
  ASSERT_TRUE(again.ok()) << again.error().to_string();
  EXPECT_EQ(*again, *kernel);
  // 16 stores in an element loop (address, store, counter and branch), one slot before the loop, then a write
  // with three slots.
  const auto system = io::read_cnm_system("upmem", {});
  ASSERT_TRUE(system.ok());
  cnm::CnmMap map;
  map.tuples = {{1}, {1}, {1}, {16}};
  map.block = {16};
  map.order = {0};
  const auto listing = cnm::list_map(*kernel, map, *system);
  ASSERT_EQ(listing.fault, "");
  EXPECT_EQ(cnm::simplify(cnm::program_of(listing.listing, *system).program),
            (cnm::Program{cnm::barrier(), cnm::slots(240 + 1 + 16 * 4 + 3), cnm::write(64)}));
}

TEST(Mlir, AFillOfAValueReadsIt) {
  const auto kernel =
      io::parse_mlir(function("linalg.fill ins(%v : i32) outs(%o : memref<16xi32>)\n"), "text");
  ASSERT_TRUE(kernel.ok()) << kernel.error().to_string();
  ASSERT_EQ(kernel->operands.size(), 2U);
  EXPECT_EQ(kernel->yields, (std::vector<std::size_t>{0}));
}

TEST(Mlir, AFillBeforeAnotherOperationIsFree) {
  const std::string fill = "linalg.fill ins(%c : i32) outs(%o : memref<16xi32>)\n";
  const std::string add =
      "linalg.add ins(%a, %b : memref<16xi32>, memref<16xi32>) outs(%o : memref<16xi32>)\n";
  const auto kernel = io::parse_mlir(function(fill + add), "text");
  ASSERT_TRUE(kernel.ok()) << kernel.error().to_string();
  EXPECT_EQ(*kernel, *io::parse_mlir(function(add), "text"));
  const auto error = io::parse_mlir(function(fill + fill), "text").error();
  EXPECT_EQ(error.message, "a second operation, expected one per function");
  EXPECT_EQ(error.where.line, 4);
}

TEST(CnmSystem, AcceptsValuesThatTheEngineDefines) {
  const auto with = [](const std::string& setting) {
    const std::vector<std::string> settings = {setting};
    return io::read_cnm_system("upmem", settings);
  };
  const auto at_once = with("engine.k=32");
  ASSERT_TRUE(at_once.ok()) << at_once.error().to_string();
  EXPECT_GT(at_once->engine.k, at_once->engine.k_max);
  EXPECT_TRUE(with("dma.refresh.busy=2000").ok());
  EXPECT_FALSE(with("dma.refresh.busy=2730").ok());
  EXPECT_FALSE(with("dma.refresh.busy=2729").ok());  // cycles would overflow
}

// Code that torch-mlir, IREE and bufferization add around an operation does not change the kernel.
TEST(Mlir, CompilerOutputAroundAnOperationIsSkipped) {
  const std::string type = "tensor<16x8xf32>";
  const std::string add =
      "linalg.add ins(%a, %b : " + type + ", " + type + ") outs(%e : " + type + ") -> " + type + "\n";
  const std::string empty = "%e = tensor.empty() : " + type + "\n";
  const std::string plain = "func.func @f(%a: " + type + ", %b: " + type + ") -> " + type + " {\n" + empty +
                            "%r = " + add + "return %r : " + type + "\n}\n";
  const auto expected = io::parse_mlir(plain, "plain");
  ASSERT_TRUE(expected.ok()) << expected.error().to_string();
  const auto same = [&](const std::string& text) {
    const auto read = io::parse_mlir(text, "text");
    ASSERT_TRUE(read.ok()) << read.error().to_string() << '\n' << text;
    EXPECT_EQ(*read, *expected) << text;
  };
  const std::string ret = "return %r : " + type + "\n}\n";
  same(
      "module attributes {torch.debug_module_name = \"Add\", dlti.spec = #dlti.dl_spec<\"a\" = [1, {b}]>} {\n"
      "  ml_program.global private mutable @global_seed(dense<0> : tensor<i64>) : tensor<i64>\n" +
      plain + "}\n");
  same(
      "module @add {\n  memref.global \"private\" constant @w : memref<2x2xf32> = dense<[[1.0, 2.0],\n"
      "    [3.0, 4.0]]> {alignment = 64 : i64}\n" +
      plain + "}\n");
  same("module {\n" + plain + "  memref.global \"private\" @last : memref<4xf32> = uninitialized\n}\n");
  same("func.func public @f(%a: " + type + " {bufferization.writable = false}, %b: " + type +
       " {llvm.noalias, x.y = {z = \"}\"}}) -> (" + type +
       " {tf.name = \"out\"}) attributes {ACCEL = \"cpu\", "
       "llvm.emit_c_interface} {\n" +
       empty + "%r = " + add + ret);
  same("func.func @f(%a: " + type + ", %x: tensor<128xf32>) -> " + type +
       " {\n%true = arith.constant true\n" +
       "%w = arith.constant dense_resource<__elided__> : tensor<4x4xf32>\n"
       "%b = tensor.expand_shape %x [[0, 1]] output_shape [16, 8] : tensor<128xf32> into " +
       type + "\n" + empty + "%r = " + add + ret);
  same("func.func @f(%a: " + type + ", %m: memref<16x8xf32>) -> " + type +
       " {\n%b = bufferization.to_tensor %m restrict : memref<16x8xf32> to " + type + "\n" + empty +
       "%r = " + add + ret);
}

TEST(Mlir, AttributesOfAnAllocationAreSkipped) {
  const std::string type = "memref<16xi32>";
  const std::string add = "linalg.add ins(%a, %a2 : " + type + ", " + type + ") outs(%o : " + type + ")\n";
  const auto text = [&](const std::string& attributes) {
    return "func.func @f(%a: " + type + ", %a2: " + type + ") {\n%o = memref.alloc() " + attributes + ": " +
           type + "\n" + add + "return\n}\n";
  };
  const auto plain = io::parse_mlir(text(""), "plain");
  const auto aligned = io::parse_mlir(text("{alignment = 64 : i64} "), "aligned");
  ASSERT_TRUE(plain.ok() && aligned.ok());
  EXPECT_EQ(*plain, *aligned);
}

}  // namespace
}  // namespace nestor::languages_test

// Files in the manner of torch-mlir, IREE and Polygeist: each is the right program, or refused with the right
// sentence.
#include <gtest/gtest.h>

#include "io/cnm/mlir.h"

namespace nestor {
namespace {

struct CompilerFile {
  const char* name;
  std::string text;
  std::vector<std::vector<Int>> dims;  ///< of each operation; of a pad none
  std::string refusal;                 ///< part of the message
};

std::string torch(const std::string& signature, const std::string& body) {
  return "#map = affine_map<(d0, d1) -> (d0, d1)>\n#map1 = affine_map<(d0, d1) -> (d1)>\n"
         "module attributes {torch.debug_module_name = \"M\"} {\n"
         "  ml_program.global private mutable @global_seed(dense<0> : tensor<i64>) : tensor<i64>\n"
         "  func.func @forward" +
         signature + " {\n" + body + "  }\n}\n";
}

std::string polygeist(const std::string& signature, const std::string& body) {
  return "module attributes {dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<f64, dense<64> : vector<2xi32>>>, "
         "llvm.target_triple = \"x86_64-unknown-linux-gnu\"} {\n  func.func @kernel" +
         signature + " attributes {llvm.linkage = #llvm.linkage<external>} {\n" + body +
         "    return\n  }\n}\n";
}

const std::string zero = "    %cst = arith.constant 0.000000e+00 : f32\n";
const std::string image = "tensor<1x4x10x10xf32>";

std::vector<CompilerFile> files() {
  return {
      {"torch linear",
       torch("(%arg0: tensor<4x16xf32>) -> tensor<4x8xf32>",
             zero +
                 "    %cst_0 = arith.constant dense_resource<torch_tensor_16_8> : tensor<16x8xf32>\n"
                 "    %0 = tensor.empty() : tensor<4x8xf32>\n"
                 "    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<4x8xf32>) -> tensor<4x8xf32>\n"
                 "    %2 = linalg.matmul ins(%arg0, %cst_0 : tensor<4x16xf32>, tensor<16x8xf32>) outs(%1 : "
                 "tensor<4x8xf32>) -> tensor<4x8xf32>\n    return %2 : tensor<4x8xf32>\n"),
       {{4, 8, 16}},
       ""},
      {"torch padded convolution",
       torch(
           "(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<6x4x3x3xf32>) -> tensor<1x6x8x8xf32>",
           zero +
               "    %padded = tensor.pad %arg0 low[0, 0, 1, 1] high[0, 0, 1, 1] {\n    ^bb0(%arg2: index, "
               "%arg3: index, %arg4: index, %arg5: index):\n      tensor.yield %cst : f32\n    } : "
               "tensor<1x4x8x8xf32> to " +
               image +
               "\n    %0 = tensor.empty() : tensor<1x6x8x8xf32>\n"
               "    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x6x8x8xf32>) -> tensor<1x6x8x8xf32>\n"
               "    %2 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> "
               ": vector<2xi64>} ins(%padded, %arg1 : " +
               image +
               ", tensor<6x4x3x3xf32>) outs(%1 : tensor<1x6x8x8xf32>) -> tensor<1x6x8x8xf32>\n"
               "    return %2 : tensor<1x6x8x8xf32>\n"),
       {{}, {1, 6, 8, 8, 4, 3, 3}},
       ""},
      {"torch rectifier",
       torch(
           "(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32>",
           zero +
               "    %0 = tensor.empty() : tensor<4x8xf32>\n    %1 = linalg.generic {indexing_maps = [#map, "
               "#map], iterator_types = [\"parallel\", \"parallel\"]} ins(%arg0 : tensor<4x8xf32>) outs(%0 : "
               "tensor<4x8xf32>) {\n    ^bb0(%in: f32, %out: f32):\n      %2 = arith.cmpf ugt, %in, %cst : "
               "f32\n      %3 = arith.select %2, %in, %cst : f32\n      linalg.yield %3 : f32\n    } -> "
               "tensor<4x8xf32>\n    return %1 : tensor<4x8xf32>\n"),
       {{4, 8}},
       ""},
      {"torch exponential",
       torch("(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32>",
             "    %0 = tensor.empty() : tensor<4x8xf32>\n    %1 = linalg.generic {indexing_maps = [#map, "
             "#map], "
             "iterator_types = [\"parallel\", \"parallel\"]} ins(%arg0 : tensor<4x8xf32>) outs(%0 : "
             "tensor<4x8xf32>) {\n    ^bb0(%in: f32, %out: f32):\n      %2 = math.exp %in : f32\n      "
             "linalg.yield %2 : f32\n    } -> tensor<4x8xf32>\n    return %1 : tensor<4x8xf32>\n"),
       {},
       "'math.exp'"},
      {"torch dialect",
       torch("(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32>",
             "    %0 = torch.aten.relu %arg0 : !torch.vtensor<[4,8],f32> -> !torch.vtensor<[4,8],f32>\n"),
       {},
       "linalg"},
      {"IREE softmax",
       torch("(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32>",
             "    %0 = tensor.empty() : tensor<4x8xf32>\n    %1 = linalg.softmax dimension(1) ins(%arg0 : "
             "tensor<4x8xf32>) outs(%0 : tensor<4x8xf32>) -> tensor<4x8xf32>\n"),
       {},
       "linalg.softmax"},
      {"IREE stablehlo",
       torch("(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32>",
             "    %0 = stablehlo.add %arg0, %arg0 : tensor<4x8xf32>\n"),
       {},
       "stablehlo"},
      {"IREE batch product",
       torch("(%arg0: tensor<3x4x16xf16>, %arg1: tensor<3x16x8xf16>, %arg2: tensor<3x4x8xf16>) -> "
             "tensor<3x4x8xf16>",
             "    %0 = linalg.batch_matmul ins(%arg0, %arg1 : tensor<3x4x16xf16>, tensor<3x16x8xf16>) "
             "outs(%arg2 : tensor<3x4x8xf16>) -> tensor<3x4x8xf16>\n    return %0 : tensor<3x4x8xf16>\n"),
       {{3, 4, 8, 16}},
       ""},
      {"IREE open extent",
       torch("(%arg0: tensor<?x16xf32>, %arg1: tensor<16xf32>, %arg2: tensor<?xf32>) -> tensor<?xf32>",
             "    %0 = linalg.matvec ins(%arg0, %arg1 : tensor<?x16xf32>, tensor<16xf32>) outs(%arg2 : "
             "tensor<?xf32>) -> tensor<?xf32>\n    return %0 : tensor<?xf32>\n"),
       {},
       "an extent of %arg0 is open"},
      {"Polygeist product",
       polygeist(
           "(%arg0: memref<8x16xf64>, %arg1: memref<16xf64>, %arg2: memref<8xf64>)",
           "    affine.for %arg3 = 0 to 8 {\n      affine.for %arg4 = 0 to 16 {\n        %0 = affine.load "
           "%arg0[%arg3, %arg4] : memref<8x16xf64>\n        %1 = affine.load %arg1[%arg4] : "
           "memref<16xf64>\n        %2 = arith.mulf %0, %1 : f64\n        %3 = affine.load %arg2[%arg3] "
           ": memref<8xf64>\n        %4 = arith.addf %3, %2 : f64\n        affine.store %4, "
           "%arg2[%arg3] : memref<8xf64>\n      }\n    }\n"),
       {{8, 16}},
       ""},
      {"Polygeist imperfect nest",
       polygeist(
           "(%arg0: memref<8x16xf64>, %arg2: memref<8xf64>)",
           "    %cst = arith.constant 0.000000e+00 : f64\n    affine.for %arg3 = 0 to 8 {\n      "
           "affine.store %cst, %arg2[%arg3] : memref<8xf64>\n      affine.for %arg4 = 0 to 16 {\n        "
           "%0 = affine.load %arg0[%arg3, %arg4] : memref<8x16xf64>\n        affine.store %0, "
           "%arg2[%arg3] : memref<8xf64>\n      }\n    }\n"),
       {},
       "perfect nest"},
      {"Polygeist scf loop",
       polygeist("(%arg0: memref<8xf64>)",
                 "    %c0 = arith.constant 0 : index\n    scf.for %arg1 = %c0 to %c0 step %c0 {\n    }\n"),
       {},
       "scf"},
  };
}

TEST(CompilerFiles, AreTheRightProgramOrTheRightRefusal) {
  for (const auto& [name, text, dims, refusal] : files()) {
    const auto read = io::parse_mlir_programs(text, "in.mlir");
    if (!refusal.empty()) {
      ASSERT_FALSE(read.ok()) << name;
      EXPECT_NE(read.error().to_string().find(refusal), std::string::npos)
          << name << ": " << read.error().to_string();
      EXPECT_EQ(read.error().to_string().find('\n'), std::string::npos) << name;
      continue;
    }
    ASSERT_TRUE(read.ok()) << name << ": " << read.error().to_string();
    ASSERT_EQ(read->programs.size(), 1U) << name;
    std::vector<std::vector<Int>> found;
    for (const auto& operation : read->programs[0].operations)
      found.push_back(operation.kernel ? operation.kernel->extents : std::vector<Int>());
    EXPECT_EQ(found, dims) << name;
  }
}

}  // namespace
}  // namespace nestor

// A perceptron of two layers: transposed weights, biases broadcast by their maps, resources after the module.
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1, d0)>
#map2 = affine_map<(d0, d1) -> (0, d1)>
#map3 = affine_map<(d0, d1) -> (d1)>
module attributes {torch.debug_module_name = "MLP"} {
  ml_program.global private mutable @global_seed(dense<0> : tensor<i64>) : tensor<i64>
  func.func @forward(%arg0: tensor<1x784xf32>) -> tensor<1x10xf32> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant dense<[9.044310e-03, -0.0562534407, -5.404990e-02, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]> : tensor<10xf32>
    %cst_0 = arith.constant dense_resource<torch_tensor_10_128_torch.float32> : tensor<10x128xf32>
    %cst_1 = arith.constant dense_resource<torch_tensor_128_torch.float32> : tensor<128xf32>
    %cst_2 = arith.constant dense_resource<torch_tensor_128_784_torch.float32> : tensor<128x784xf32>
    %cst_3 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<784x128xf32>
    %transposed = linalg.transpose ins(%cst_2 : tensor<128x784xf32>) outs(%0 : tensor<784x128xf32>) permutation = [1, 0] 
    %1 = tensor.empty() : tensor<1x128xf32>
    %2 = linalg.fill ins(%cst_3 : f32) outs(%1 : tensor<1x128xf32>) -> tensor<1x128xf32>
    %3 = linalg.matmul ins(%arg0, %transposed : tensor<1x784xf32>, tensor<784x128xf32>) outs(%2 : tensor<1x128xf32>) -> tensor<1x128xf32>
    %4 = linalg.generic {indexing_maps = [#map2, #map3, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %cst_1 : tensor<1x128xf32>, tensor<128xf32>) outs(%1 : tensor<1x128xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %13 = arith.addf %in, %in_4 : f32
      linalg.yield %13 : f32
    } -> tensor<1x128xf32>
    %5 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<1x128xf32>) outs(%1 : tensor<1x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %13 = arith.cmpf ugt, %in, %cst_3 : f32
      %14 = arith.select %13, %in, %cst_3 : f32
      linalg.yield %14 : f32
    } -> tensor<1x128xf32>
    %6 = tensor.empty() : tensor<128x10xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<10x128xf32>) outs(%6 : tensor<128x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<128x10xf32>
    %8 = tensor.empty() : tensor<1x10xf32>
    %9 = linalg.fill ins(%cst_3 : f32) outs(%8 : tensor<1x10xf32>) -> tensor<1x10xf32>
    %10 = linalg.matmul ins(%5, %7 : tensor<1x128xf32>, tensor<128x10xf32>) outs(%9 : tensor<1x10xf32>) -> tensor<1x10xf32>
    %11 = linalg.generic {indexing_maps = [#map2, #map3, #map], iterator_types = ["parallel", "parallel"]} ins(%10, %cst : tensor<1x10xf32>, tensor<10xf32>) outs(%8 : tensor<1x10xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %13 = arith.addf %in, %in_4 : f32
      linalg.yield %13 : f32
    } -> tensor<1x10xf32>
    return %11 : tensor<1x10xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_10_128_torch.float32: "0x04000000A5C6433E21F7B8BE0EF5AD3D",
      torch_tensor_128_torch.float32: "0x0400000042B979BE97EFFABC2327D4BE"
    }
  }
#-}

// Scores of attention: a batch of products whose second operand is transposed, and a scale.
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
module attributes {torch.debug_module_name = "Scores"} {
  func.func @main(%arg0: tensor<1x12x64x32xf32>, %arg1: tensor<1x12x64x32xf32>) -> tensor<1x12x64x64xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 5.65685415 : f32
    %0 = tensor.empty() : tensor<1x12x32x64xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<1x12x64x32xf32>) outs(%0 : tensor<1x12x32x64xf32>) permutation = [0, 1, 3, 2] 
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2], [3]] : tensor<1x12x64x32xf32> into tensor<12x64x32xf32>
    %collapsed_1 = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<1x12x32x64xf32> into tensor<12x32x64xf32>
    %1 = tensor.empty() : tensor<12x64x64xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<12x64x64xf32>) -> tensor<12x64x64xf32>
    %3 = linalg.batch_matmul ins(%collapsed, %collapsed_1 : tensor<12x64x32xf32>, tensor<12x32x64xf32>) outs(%2 : tensor<12x64x64xf32>) -> tensor<12x64x64xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3 : tensor<12x64x64xf32>) outs(%1 : tensor<12x64x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %5 = arith.divf %in, %cst_0 : f32
      linalg.yield %5 : f32
    } -> tensor<12x64x64xf32>
    %expanded = tensor.expand_shape %4 [[0, 1], [2], [3]] output_shape [1, 12, 64, 64] : tensor<12x64x64xf32> into tensor<1x12x64x64xf32>
    return %expanded : tensor<1x12x64x64xf32>
  }
}

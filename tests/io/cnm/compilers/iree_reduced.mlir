// A reduction in the short form and one with a region, on a transposed product.
module {
  util.func public @main(%arg0: tensor<24x40xf32>, %arg1: tensor<32x40xf32>) -> (tensor<24xf32>, tensor<f32>) {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<24x32xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<24x32xf32>) -> tensor<24x32xf32>
    %2 = linalg.matmul_transpose_b ins(%arg0, %arg1 : tensor<24x40xf32>, tensor<32x40xf32>) outs(%1 : tensor<24x32xf32>) -> tensor<24x32xf32>
    %3 = tensor.empty() : tensor<24xf32>
    %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<24xf32>) -> tensor<24xf32>
    %reduced = linalg.reduce { arith.addf {overflowFlags = #arith.overflow<none>} } ins(%2 : tensor<24x32xf32>) outs(%4 : tensor<24xf32>) dimensions = [1] 
    %5 = tensor.empty() : tensor<f32>
    %6 = linalg.fill ins(%cst : f32) outs(%5 : tensor<f32>) -> tensor<f32>
    %reduced_0 = linalg.reduce ins(%reduced : tensor<24xf32>) outs(%6 : tensor<f32>) dimensions = [0] 
      (%in: f32, %init: f32) {
        %7 = arith.maximumf %in, %init : f32
        linalg.yield %7 : f32
      }
    util.return %reduced, %reduced_0 : tensor<24xf32>, tensor<f32>
  }
}

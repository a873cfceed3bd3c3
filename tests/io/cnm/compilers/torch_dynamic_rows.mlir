// A batch of dynamic size: extents by tensor.dim, given by --shape.
// shape: arg0=6x32
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
module attributes {torch.debug_module_name = "Linear"} {
  func.func @main(%arg0: tensor<?x32xf32>) -> tensor<?x16xf32> {
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense_resource<torch_tensor_16_torch.float32> : tensor<16xf32>
    %cst_1 = arith.constant dense_resource<torch_tensor_32_16_torch.float32> : tensor<32x16xf32>
    %dim = tensor.dim %arg0, %c0 : tensor<?x32xf32>
    %0 = tensor.empty(%dim) : tensor<?x16xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<?x16xf32>) -> tensor<?x16xf32>
    %2 = linalg.matmul ins(%arg0, %cst_1 : tensor<?x32xf32>, tensor<32x16xf32>) outs(%1 : tensor<?x16xf32>) -> tensor<?x16xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%2, %cst_0 : tensor<?x16xf32>, tensor<16xf32>) outs(%0 : tensor<?x16xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %4 = arith.addf %in, %in_2 : f32
      linalg.yield %4 : f32
    } -> tensor<?x16xf32>
    return %3 : tensor<?x16xf32>
  }
}

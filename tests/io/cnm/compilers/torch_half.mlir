// A product of half floats, summed in single floats and then narrowed.
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1)>
module attributes {torch.debug_module_name = "Half"} {
  func.func @main(%arg0: tensor<32x64xf16>, %arg1: tensor<48x64xf16>) -> tensor<32x48xf16> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<32x48xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<32x48xf32>) -> tensor<32x48xf32>
    %2 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<32x64xf16>, tensor<48x64xf16>) outs(%1 : tensor<32x48xf32>) {
    ^bb0(%in: f16, %in_0: f16, %out: f32):
      %5 = arith.extf %in : f16 to f32
      %6 = arith.extf %in_0 : f16 to f32
      %7 = arith.mulf %5, %6 : f32
      %8 = arith.addf %out, %7 : f32
      linalg.yield %8 : f32
    } -> tensor<32x48xf32>
    %3 = tensor.empty() : tensor<32x48xf16>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<32x48xf32>) outs(%3 : tensor<32x48xf16>) {
    ^bb0(%in: f32, %out: f16):
      %5 = arith.truncf %in : f32 to f16
      linalg.yield %5 : f16
    } -> tensor<32x48xf16>
    return %4 : tensor<32x48xf16>
  }
}

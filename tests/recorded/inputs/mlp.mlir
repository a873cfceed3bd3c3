#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
module attributes {torch.debug_module_name = "Mlp"} {
  func.func @forward(%arg0: tensor<16x64xi32>) -> tensor<16x32xi32> {
    %zero = arith.constant 0 : i32
    %w = arith.constant dense_resource<w> : tensor<64x32xi32>
    %b = arith.constant dense<1> : tensor<32xi32>
    %0 = tensor.empty() : tensor<16x32xi32>
    %1 = linalg.fill ins(%zero : i32) outs(%0 : tensor<16x32xi32>) -> tensor<16x32xi32>
    %2 = linalg.matmul ins(%arg0, %w : tensor<16x64xi32>, tensor<64x32xi32>) outs(%1 : tensor<16x32xi32>) -> tensor<16x32xi32>
    %3 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%2, %b : tensor<16x32xi32>, tensor<32xi32>) outs(%0 : tensor<16x32xi32>) {
    ^bb0(%in: i32, %in_1: i32, %out: i32):
      %x = arith.addi %in, %in_1 : i32
      %y = arith.maxsi %x, %zero : i32
      linalg.yield %y : i32
    } -> tensor<16x32xi32>
    return %3 : tensor<16x32xi32>
  }
}

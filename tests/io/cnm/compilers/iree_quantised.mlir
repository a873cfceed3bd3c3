// A product of bytes summed in 32 bits, without zero points.
#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
module {
  util.func public @main(%arg0: tensor<16x64xi8>, %arg1: tensor<64x32xi8>) -> tensor<16x32xi32> {
    %c0_i32 = arith.constant 0 : i32
    %0 = tensor.empty() : tensor<16x32xi32>
    %1 = linalg.fill ins(%c0_i32 : i32) outs(%0 : tensor<16x32xi32>) -> tensor<16x32xi32>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<16x64xi8>, tensor<64x32xi8>) outs(%1 : tensor<16x32xi32>) {
    ^bb0(%in: i8, %in_0: i8, %out: i32):
      %3 = arith.extsi %in : i8 to i32
      %4 = arith.extsi %in_0 : i8 to i32
      %5 = arith.muli %3, %4 overflow<nsw> : i32
      %6 = arith.addi %out, %5 : i32
      linalg.yield %6 : i32
    } -> tensor<16x32xi32>
    util.return %2 : tensor<16x32xi32>
  }
}

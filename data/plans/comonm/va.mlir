#same = affine_map<(i) -> (i)>
func.func @va(%a: memref<4294967296xi32>, %b: memref<4294967296xi32>, %c: memref<4294967296xi32>) {
  linalg.generic {indexing_maps = [#same, #same, #same], iterator_types = ["parallel"]}
      ins(%a, %b : memref<4294967296xi32>, memref<4294967296xi32>) outs(%c : memref<4294967296xi32>) {
  ^bb0(%x: i32, %y: i32, %z: i32):
    %sum = arith.addi %x, %y : i32
    linalg.yield %sum : i32
  }
  return
}

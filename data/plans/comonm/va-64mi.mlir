#same = affine_map<(i) -> (i)>
func.func @va(%a: memref<67108864xi32>, %b: memref<67108864xi32>, %c: memref<67108864xi32>) {
  linalg.generic {indexing_maps = [#same, #same, #same], iterator_types = ["parallel"]}
      ins(%a, %b : memref<67108864xi32>, memref<67108864xi32>) outs(%c : memref<67108864xi32>) {
  ^bb0(%x: i32, %y: i32, %z: i32):
    %sum = arith.addi %x, %y : i32
    linalg.yield %sum : i32
  }
  return
}

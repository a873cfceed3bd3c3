#from = affine_map<(i) -> (i)>
#to = affine_map<(i) -> ()>
func.func @red(%a: memref<4294967296xi32>, %sum: memref<i32>) {
  linalg.generic {indexing_maps = [#from, #to], iterator_types = ["reduction"]}
      ins(%a : memref<4294967296xi32>) outs(%sum : memref<i32>) {
  ^bb0(%x: i32, %y: i32):
    %next = arith.addi %x, %y : i32
    linalg.yield %next : i32
  }
  return
}

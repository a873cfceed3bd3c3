func.func @add(%a: memref<4096xi32>, %b: memref<4096xi32>, %c: memref<4296xi32>) {
  affine.for %i = 0 to 4096 {
    %x = affine.load %a[%i] : memref<4096xi32>
    %y = affine.load %b[%i] : memref<4096xi32>
    %z = arith.addi %x, %y : i32
    affine.store %z, %c[%i] : memref<4096xi32>
  }
  return
}

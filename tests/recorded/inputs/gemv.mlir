func.func @gemv(%A: memref<64x64xi32>, %x: memref<64xi32>, %y: memref<64xi32>) {
  linalg.matvec ins(%A, %x : memref<64x64xi32>, memref<64xi32>) outs(%y : memref<64xi32>)
  return
}

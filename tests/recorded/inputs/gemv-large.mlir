func.func @gemv(%A: memref<4096x4096xi32>, %x: memref<4096xi32>, %y: memref<4096xi32>) {
  linalg.matvec ins(%A, %x : memref<4096x4096xi32>, memref<4096xi32>) outs(%y : memref<4096xi32>)
  return
}

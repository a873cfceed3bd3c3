func.func @gemv(%A: memref<256x512xi32>, %x: memref<512xi32>, %y: memref<256xi32>) {
  linalg.matvec ins(%A, %x : memref<256x512xi32>, memref<512xi32>) outs(%y : memref<256xi32>)
  return
}

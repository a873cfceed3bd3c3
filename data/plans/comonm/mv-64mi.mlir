func.func @mv(%a: memref<8192x8192xi32>, %x: memref<8192xi32>, %y: memref<8192xi32>) {
  linalg.matvec ins(%a, %x : memref<8192x8192xi32>, memref<8192xi32>) outs(%y : memref<8192xi32>)
  return
}

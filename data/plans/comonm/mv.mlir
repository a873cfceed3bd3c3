func.func @mv(%a: memref<32768x16384xi32>, %x: memref<16384xi32>, %y: memref<32768xi32>) {
  linalg.matvec ins(%a, %x : memref<32768x16384xi32>, memref<16384xi32>) outs(%y : memref<32768xi32>)
  return
}

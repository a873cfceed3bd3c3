func.func @mm(%a: memref<1024x1024xi32>, %b: memref<1024x1024xi32>, %c: memref<1024x1024xi32>) {
  linalg.matmul ins(%a, %b : memref<1024x1024xi32>, memref<1024x1024xi32>) outs(%c : memref<1024x1024xi32>)
  return
}

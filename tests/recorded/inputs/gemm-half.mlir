func.func @gemm(%A: memref<256x512xf16>, %B: memref<512x128xf16>, %C: memref<256x128xf16>) {
  linalg.matmul ins(%A, %B : memref<256x512xf16>, memref<512x128xf16>) outs(%C : memref<256x128xf16>)
  return
}

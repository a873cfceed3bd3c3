// A batch of products of half floats that adds to an argument.
module {
  func.func @main(%arg0: tensor<3x4x16xf16>, %arg1: tensor<3x16x8xf16>, %arg2: tensor<3x4x8xf16>) -> tensor<3x4x8xf16> {
    %0 = linalg.batch_matmul ins(%arg0, %arg1 : tensor<3x4x16xf16>, tensor<3x16x8xf16>) outs(%arg2 : tensor<3x4x8xf16>) -> tensor<3x4x8xf16>
    return %0 : tensor<3x4x8xf16>
  }
}

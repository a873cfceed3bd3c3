// A softmax operation of IREE, which a later pass splits.
module {
  util.func public @main(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %0 = tensor.empty() : tensor<4x8xf32>
    %1 = linalg.softmax dimension(1) ins(%arg0 : tensor<4x8xf32>) outs(%0 : tensor<4x8xf32>) -> tensor<4x8xf32>
    util.return %1 : tensor<4x8xf32>
  }
}

// Dispatch regions around operations in a function.
module {
  util.func public @main(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %0 = flow.dispatch.region -> (tensor<4x8xf32>) {
      %1 = tensor.empty() : tensor<4x8xf32>
      flow.return %1 : tensor<4x8xf32>
    }
    util.return %0 : tensor<4x8xf32>
  }
}

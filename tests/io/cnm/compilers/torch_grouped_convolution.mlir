// A grouped convolution, for which our named operations have no equivalent.
module attributes {torch.debug_module_name = "Grouped"} {
  func.func @main(%arg0: tensor<1x2x4x10x10xf32>, %arg1: tensor<2x3x4x3x3xf32>, %arg2: tensor<1x2x3x8x8xf32>) -> tensor<1x2x3x8x8xf32> {
    %0 = linalg.conv_2d_ngchw_gfchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%arg0, %arg1 : tensor<1x2x4x10x10xf32>, tensor<2x3x4x3x3xf32>) outs(%arg2 : tensor<1x2x3x8x8xf32>) -> tensor<1x2x3x8x8xf32>
    return %0 : tensor<1x2x3x8x8xf32>
  }
}

// A depthwise convolution of stride 2 with a bias broadcast over its output.
module attributes {torch.debug_module_name = "Depthwise"} {
  func.func @main(%arg0: tensor<1x16x9x9xf32>) -> tensor<1x16x4x4xf32> {
    %cst = arith.constant dense_resource<torch_tensor_16_torch.float32> : tensor<16xf32>
    %cst_0 = arith.constant dense_resource<torch_tensor_16_1_3_3_torch.float32> : tensor<16x1x3x3xf32>
    %0 = tensor.empty() : tensor<1x16x4x4xf32>
    %broadcasted = linalg.broadcast ins(%cst : tensor<16xf32>) outs(%0 : tensor<1x16x4x4xf32>) dimensions = [0, 2, 3] 
    %collapsed = tensor.collapse_shape %cst_0 [[0, 1], [2], [3]] : tensor<16x1x3x3xf32> into tensor<16x3x3xf32>
    %1 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%arg0, %collapsed : tensor<1x16x9x9xf32>, tensor<16x3x3xf32>) outs(%broadcasted : tensor<1x16x4x4xf32>) -> tensor<1x16x4x4xf32>
    return %1 : tensor<1x16x4x4xf32>
  }
}

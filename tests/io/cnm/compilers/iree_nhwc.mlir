// Layers of a mobile network in NHWC: a padded convolution, a depthwise one, an average.
module {
  util.func public @main(%arg0: tensor<1x16x16x3xf32>, %arg1: tensor<3x3x3x8xf32>, %arg2: tensor<3x3x8xf32>) -> tensor<1x1x1x8xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %padded = tensor.pad %arg0 low[0, 0, 0, 0] high[0, 1, 1, 0] {
    ^bb0(%a: index, %b: index, %c: index, %d: index):
      tensor.yield %cst : f32
    } : tensor<1x16x16x3xf32> to tensor<1x17x17x3xf32>
    %0 = tensor.empty() : tensor<1x8x8x8xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
    %2 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<[2, 2]> : tensor<2xi64>} ins(%padded, %arg1 : tensor<1x17x17x3xf32>, tensor<3x3x3x8xf32>) outs(%1 : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
    %3 = tensor.empty() : tensor<1x6x6x8xf32>
    %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32>
    %5 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%2, %arg2 : tensor<1x8x8x8xf32>, tensor<3x3x8xf32>) outs(%4 : tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32>
    %6 = tensor.empty() : tensor<6x6xf32>
    %7 = tensor.empty() : tensor<1x1x1x8xf32>
    %8 = linalg.fill ins(%cst : f32) outs(%7 : tensor<1x1x1x8xf32>) -> tensor<1x1x1x8xf32>
    %9 = linalg.pooling_nhwc_sum {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%5, %6 : tensor<1x6x6x8xf32>, tensor<6x6xf32>) outs(%8 : tensor<1x1x1x8xf32>) -> tensor<1x1x1x8xf32>
    util.return %9 : tensor<1x1x1x8xf32>
  }
}

// Weights in globals of the util dialect, maps of a product in its attributes, fast-math flags, and an affinity.
#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#device_target_local = #hal.device.target<"local", [#hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "generic"}>]> : !hal.device
module attributes {stream.affinity.default = #hal.device.affinity<@__device_0>} {
  util.global private @__device_0 = #device_target_local
  util.global private @weight {inlining_policy = #util.inline.never} = dense_resource<torch_tensor_64_32_torch.float32> : tensor<64x32xf32>
  util.global private @bias = dense<0.000000e+00> : tensor<64xf32>
  util.func public @main(%arg0: tensor<17x32xf32>) -> tensor<17x64xf32> attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "sync func @main(%input0: tensor<17x32xf32>) -> (%output0: tensor<17x64xf32>)"}} {
    %cst = arith.constant 0.000000e+00 : f32
    %weight = util.global.load immutable @weight : tensor<64x32xf32>
    %bias = util.global.load @bias : tensor<64xf32>
    %0 = tensor.empty() : tensor<17x64xf32>
    %1 = linalg.fill {stream.affinity = #hal.device.affinity<@__device_0>} ins(%cst : f32) outs(%0 : tensor<17x64xf32>) -> tensor<17x64xf32>
    %2 = linalg.matmul indexing_maps = [#map, #map1, #map2] {stream.affinity = #hal.device.affinity<@__device_0>} ins(%arg0, %weight : tensor<17x32xf32>, tensor<64x32xf32>) outs(%1 : tensor<17x64xf32>) -> tensor<17x64xf32>
    %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%2, %bias : tensor<17x64xf32>, tensor<64xf32>) outs(%0 : tensor<17x64xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %4 = arith.addf %in, %in_0 fastmath<contract> : f32
      linalg.yield %4 : f32
    } -> tensor<17x64xf32>
    util.return %3 : tensor<17x64xf32>
  }
}

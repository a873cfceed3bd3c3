// Locations of an importer on every line, before and after the module.
#loc = loc("model.tflite":0:0)
#loc1 = loc(unknown)
#map = affine_map<(d0) -> (d0)>
module @bf16_scale attributes {tfl.schema_version = 3 : i32} {
  func.func @main(%arg0: tensor<128xbf16> loc("model.tflite":0:0), %arg1: tensor<128xbf16> loc(fused["a", "b"])) -> tensor<128xbf16> {
    %cst = arith.constant 2.000000e+00 : bf16 loc(#loc1)
    %0 = tensor.empty() : tensor<128xbf16> loc(#loc2)
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg0, %arg1 : tensor<128xbf16>, tensor<128xbf16>) outs(%0 : tensor<128xbf16>) {
    ^bb0(%in: bf16 loc("a"), %in_0: bf16 loc("b"), %out: bf16 loc(callsite("f" at "g"))):
      %2 = arith.mulf %in, %cst : bf16 loc(#loc2)
      %3 = arith.maximumf %2, %in_0 : bf16 loc(#loc2)
      linalg.yield %3 : bf16 loc(#loc2)
    } -> tensor<128xbf16> loc(#loc2)
    return %1 : tensor<128xbf16> loc(#loc1)
  } loc(#loc)
} loc(#loc)
#loc2 = loc("mul":7:12)

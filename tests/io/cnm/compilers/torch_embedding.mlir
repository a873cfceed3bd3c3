// A table of embeddings, whose rows are selected by values.
#map = affine_map<(d0, d1) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
module attributes {torch.debug_module_name = "Embedding"} {
  func.func @main(%arg0: tensor<6xi64>, %arg1: tensor<100x32xf32>) -> tensor<6x32xf32> {
    %0 = tensor.empty() : tensor<6x32xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<6xi64>) outs(%0 : tensor<6x32xf32>) {
    ^bb0(%in: i64, %out: f32):
      %2 = arith.index_cast %in : i64 to index
      %3 = linalg.index 1 : index
      %extracted = tensor.extract %arg1[%2, %3] : tensor<100x32xf32>
      linalg.yield %extracted : f32
    } -> tensor<6x32xf32>
    return %1 : tensor<6x32xf32>
  }
}

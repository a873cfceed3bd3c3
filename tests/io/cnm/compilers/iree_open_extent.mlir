// Extents that are unknown without --shape.
module {
  util.func public @main(%arg0: tensor<?x16xf32>, %arg1: tensor<16xf32>, %arg2: tensor<?xf32>) -> tensor<?xf32> {
    %0 = linalg.matvec ins(%arg0, %arg1 : tensor<?x16xf32>, tensor<16xf32>) outs(%arg2 : tensor<?xf32>) -> tensor<?xf32>
    util.return %0 : tensor<?xf32>
  }
}

// Arguments that C passes as pointers to rows, with an unknown number of rows.
// shape: arg0=16x28
// shape: arg1=16x28
module attributes {dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<f64, dense<64> : vector<2xi32>>, #dlti.dl_entry<"dlti.endianness", "little">, #dlti.dl_entry<!llvm.ptr<270>, dense<32> : vector<4xi32>>>, llvm.data_layout = "e-m:e-p270:32:32-i64:64-S128", llvm.target_triple = "x86_64-unknown-linux-gnu", "polygeist.target-cpu" = "x86-64", "polygeist.target-features" = "+cmov,+cx8,+fxsr", "polygeist.tune-cpu" = "generic"} {
  func.func @copy(%arg0: memref<?x28xf32>, %arg1: memref<?x28xf32>) attributes {llvm.linkage = #llvm.linkage<external>} {
    affine.for %arg2 = 0 to 16 {
      affine.for %arg3 = 0 to 28 {
        %0 = affine.load %arg0[%arg2, %arg3] : memref<?x28xf32>
        affine.store %0, %arg1[%arg2, %arg3] : memref<?x28xf32>
      }
    }
    return
  }
}

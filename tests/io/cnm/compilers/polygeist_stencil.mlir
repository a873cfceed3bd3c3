// A stencil, whose loops begin at 1.
module attributes {dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<f64, dense<64> : vector<2xi32>>, #dlti.dl_entry<"dlti.endianness", "little">, #dlti.dl_entry<!llvm.ptr<270>, dense<32> : vector<4xi32>>>, llvm.data_layout = "e-m:e-p270:32:32-i64:64-S128", llvm.target_triple = "x86_64-unknown-linux-gnu", "polygeist.target-cpu" = "x86-64", "polygeist.target-features" = "+cmov,+cx8,+fxsr", "polygeist.tune-cpu" = "generic"} {
  func.func @jacobi(%arg0: memref<66xf64>, %arg1: memref<66xf64>) attributes {llvm.linkage = #llvm.linkage<external>} {
    %cst = arith.constant 3.333300e-01 : f64
    affine.for %arg2 = 1 to 65 {
      %0 = affine.load %arg0[%arg2 - 1] : memref<66xf64>
      %1 = affine.load %arg0[%arg2] : memref<66xf64>
      %2 = arith.addf %0, %1 : f64
      %3 = arith.mulf %2, %cst : f64
      affine.store %3, %arg1[%arg2] : memref<66xf64>
    }
    return
  }
}

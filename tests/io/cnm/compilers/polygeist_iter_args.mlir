// A sum carried by its loop after mem2reg.
module attributes {dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<f64, dense<64> : vector<2xi32>>, #dlti.dl_entry<"dlti.endianness", "little">, #dlti.dl_entry<!llvm.ptr<270>, dense<32> : vector<4xi32>>>, llvm.data_layout = "e-m:e-p270:32:32-i64:64-S128", llvm.target_triple = "x86_64-unknown-linux-gnu", "polygeist.target-cpu" = "x86-64", "polygeist.target-features" = "+cmov,+cx8,+fxsr", "polygeist.tune-cpu" = "generic"} {
  func.func @dot(%arg0: memref<64xf64>, %arg1: memref<64xf64>) -> f64 attributes {llvm.linkage = #llvm.linkage<external>} {
    %cst = arith.constant 0.000000e+00 : f64
    %0 = affine.for %arg2 = 0 to 64 iter_args(%arg3 = %cst) -> (f64) {
      %1 = affine.load %arg0[%arg2] : memref<64xf64>
      %2 = affine.load %arg1[%arg2] : memref<64xf64>
      %3 = arith.mulf %1, %2 : f64
      %4 = arith.addf %arg3, %3 : f64
      affine.yield %4 : f64
    }
    return %0 : f64
  }
}

// Loops whose bounds are arguments of a function.
// shape: arg1=64
module attributes {dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<f64, dense<64> : vector<2xi32>>, #dlti.dl_entry<"dlti.endianness", "little">, #dlti.dl_entry<!llvm.ptr<270>, dense<32> : vector<4xi32>>>, llvm.data_layout = "e-m:e-p270:32:32-i64:64-S128", llvm.target_triple = "x86_64-unknown-linux-gnu", "polygeist.target-cpu" = "x86-64", "polygeist.target-features" = "+cmov,+cx8,+fxsr", "polygeist.tune-cpu" = "generic"} {
  func.func @kernel(%arg0: i32, %arg1: memref<?xf64>) attributes {llvm.linkage = #llvm.linkage<external>} {
    %cst = arith.constant 0.000000e+00 : f64
    %0 = arith.index_cast %arg0 : i32 to index
    affine.for %arg2 = 0 to %0 {
      affine.store %cst, %arg1[%arg2] : memref<?xf64>
    }
    return
  }
}

// A matrix-vector product as raised by cgeist.
module attributes {dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<f64, dense<64> : vector<2xi32>>, #dlti.dl_entry<"dlti.endianness", "little">, #dlti.dl_entry<!llvm.ptr<270>, dense<32> : vector<4xi32>>>, llvm.data_layout = "e-m:e-p270:32:32-i64:64-S128", llvm.target_triple = "x86_64-unknown-linux-gnu", "polygeist.target-cpu" = "x86-64", "polygeist.target-features" = "+cmov,+cx8,+fxsr", "polygeist.tune-cpu" = "generic"} {
  func.func @kernel(%arg0: memref<8x16xf64>, %arg1: memref<16xf64>, %arg2: memref<8xf64>) attributes {llvm.linkage = #llvm.linkage<external>} {
    affine.for %arg3 = 0 to 8 {
      affine.for %arg4 = 0 to 16 {
        %0 = affine.load %arg0[%arg3, %arg4] : memref<8x16xf64>
        %1 = affine.load %arg1[%arg4] : memref<16xf64>
        %2 = arith.mulf %0, %1 : f64
        %3 = affine.load %arg2[%arg3] : memref<8xf64>
        %4 = arith.addf %3, %2 : f64
        affine.store %4, %arg2[%arg3] : memref<8xf64>
      }
    }
    return
  }
}

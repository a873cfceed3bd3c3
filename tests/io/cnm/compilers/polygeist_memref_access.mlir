// Accesses of the memref dialect in a loop nest, a buffer on the stack, and names of symbols.
module attributes {dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<f64, dense<64> : vector<2xi32>>, #dlti.dl_entry<"dlti.endianness", "little">, #dlti.dl_entry<!llvm.ptr<270>, dense<32> : vector<4xi32>>>, llvm.data_layout = "e-m:e-p270:32:32-i64:64-S128", llvm.target_triple = "x86_64-unknown-linux-gnu", "polygeist.target-cpu" = "x86-64", "polygeist.target-features" = "+cmov,+cx8,+fxsr", "polygeist.tune-cpu" = "generic"} {
  func.func @scale(%arg0: memref<128xf32>, %arg1: memref<128xf32>) attributes {llvm.linkage = #llvm.linkage<external>} {
    %cst = arith.constant 1.500000e+00 : f32
    %alloca = memref.alloca() : memref<128xf32>
    affine.for %arg2 = 0 to 128 {
      %0 = memref.load %arg0[%arg2] : memref<128xf32>
      %1 = arith.mulf %0, %cst : f32
      memref.store %1, %alloca[%arg2] : memref<128xf32>
    }
    affine.for %arg2 = 0 to 128 {
      %0 = memref.load %alloca[%arg2] : memref<128xf32>
      %1 = affine.load %arg1[symbol(%arg2)] : memref<128xf32>
      %2 = arith.subf %1, %0 : f32
      affine.store %2, %arg1[%arg2] : memref<128xf32>
    } {polymer.stmt.name = "S1"}
    return
  }
}

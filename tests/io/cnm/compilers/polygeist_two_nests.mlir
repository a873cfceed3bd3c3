// Two loop nests of one function on buffers of integers: the first clears the output, the second sums into it.
module attributes {dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<f64, dense<64> : vector<2xi32>>, #dlti.dl_entry<"dlti.endianness", "little">, #dlti.dl_entry<!llvm.ptr<270>, dense<32> : vector<4xi32>>>, llvm.data_layout = "e-m:e-p270:32:32-i64:64-S128", llvm.target_triple = "x86_64-unknown-linux-gnu", "polygeist.target-cpu" = "x86-64", "polygeist.target-features" = "+cmov,+cx8,+fxsr", "polygeist.tune-cpu" = "generic"} {
  func.func @gemm(%arg0: memref<32x24xi32>, %arg1: memref<24x40xi32>, %arg2: memref<32x40xi32>) attributes {llvm.linkage = #llvm.linkage<external>} {
    %c0_i32 = arith.constant 0 : i32
    affine.for %arg3 = 0 to 32 {
      affine.for %arg4 = 0 to 40 {
        affine.store %c0_i32, %arg2[%arg3, %arg4] : memref<32x40xi32>
      }
    }
    affine.for %arg3 = 0 to 32 {
      affine.for %arg4 = 0 to 40 {
        affine.for %arg5 = 0 to 24 {
          %0 = affine.load %arg0[%arg3, %arg5] : memref<32x24xi32>
          %1 = affine.load %arg1[%arg5, %arg4] : memref<24x40xi32>
          %2 = arith.muli %0, %1 : i32
          %3 = affine.load %arg2[%arg3, %arg4] : memref<32x40xi32>
          %4 = arith.addi %3, %2 : i32
          affine.store %4, %arg2[%arg3, %arg4] : memref<32x40xi32>
        }
      }
    }
    return
  }
}

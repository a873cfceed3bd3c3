// A convolution as a nest of six loops, with sums of loop variables as indices; sizes have type i64.
module attributes {dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<f64, dense<64> : vector<2xi32>>, #dlti.dl_entry<"dlti.endianness", "little">, #dlti.dl_entry<!llvm.ptr<270>, dense<32> : vector<4xi32>>>, llvm.data_layout = "e-m:e-p270:32:32-i64:64-S128", llvm.target_triple = "x86_64-unknown-linux-gnu", "polygeist.target-cpu" = "x86-64", "polygeist.target-features" = "+cmov,+cx8,+fxsr", "polygeist.tune-cpu" = "generic"} {
  func.func @conv(%arg0: memref<10x10x4xi64>, %arg1: memref<3x3x4x2xi64>, %arg2: memref<8x8x2xi64>) attributes {llvm.linkage = #llvm.linkage<external>} {
    affine.for %arg3 = 0 to 8 {
      affine.for %arg4 = 0 to 8 {
        affine.for %arg5 = 0 to 2 {
          affine.for %arg6 = 0 to 3 {
            affine.for %arg7 = 0 to 3 {
              affine.for %arg8 = 0 to 4 {
                %0 = affine.load %arg0[%arg3 + %arg6, %arg4 + %arg7, %arg8] : memref<10x10x4xi64>
                %1 = affine.load %arg1[%arg6, %arg7, %arg8, %arg5] : memref<3x3x4x2xi64>
                %2 = arith.muli %0, %1 : i64
                %3 = affine.load %arg2[%arg3, %arg4, %arg5] : memref<8x8x2xi64>
                %4 = arith.addi %3, %2 : i64
                affine.store %4, %arg2[%arg3, %arg4, %arg5] : memref<8x8x2xi64>
              }
            }
          }
        }
      }
    }
    return
  }
}

// A call of another function, with a declaration.
module attributes {dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<f64, dense<64> : vector<2xi32>>, #dlti.dl_entry<"dlti.endianness", "little">, #dlti.dl_entry<!llvm.ptr<270>, dense<32> : vector<4xi32>>>, llvm.data_layout = "e-m:e-p270:32:32-i64:64-S128", llvm.target_triple = "x86_64-unknown-linux-gnu", "polygeist.target-cpu" = "x86-64", "polygeist.target-features" = "+cmov,+cx8,+fxsr", "polygeist.tune-cpu" = "generic"} {
  func.func private @body(memref<8xf64>) attributes {llvm.linkage = #llvm.linkage<external>}
  func.func @kernel(%arg0: memref<8xf64>) attributes {llvm.linkage = #llvm.linkage<external>} {
    call @body(%arg0) : (memref<8xf64>) -> ()
    return
  }
}

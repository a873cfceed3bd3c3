// Linalg on buffers after one-shot-bufferize: globals, allocations with alignment, strided types, a copy.
module attributes {dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<f64, dense<64> : vector<2xi32>>, #dlti.dl_entry<"dlti.endianness", "little">, #dlti.dl_entry<!llvm.ptr<270>, dense<32> : vector<4xi32>>>, llvm.data_layout = "e-m:e-p270:32:32-i64:64-S128", llvm.target_triple = "x86_64-unknown-linux-gnu", "polygeist.target-cpu" = "x86-64", "polygeist.target-features" = "+cmov,+cx8,+fxsr", "polygeist.tune-cpu" = "generic"} {
  memref.global "private" constant @__constant_16x8xf32 : memref<16x8xf32> = dense_resource<torch_tensor_16_8_torch.float32> {alignment = 64 : i64}
  func.func @main(%arg0: memref<4x16xf32, strided<[?, ?], offset: ?>>, %arg1: memref<4x8xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = memref.get_global @__constant_16x8xf32 : memref<16x8xf32>
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<4x8xf32>
    linalg.fill ins(%cst : f32) outs(%alloc : memref<4x8xf32>)
    linalg.matmul ins(%arg0, %0 : memref<4x16xf32, strided<[?, ?], offset: ?>>, memref<16x8xf32>) outs(%alloc : memref<4x8xf32>)
    memref.copy %alloc, %arg1 : memref<4x8xf32> to memref<4x8xf32>
    memref.dealloc %alloc : memref<4x8xf32>
    return
  }
}

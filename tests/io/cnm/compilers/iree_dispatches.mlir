// Executables that IREE has already formed.
module {
  flow.executable private @main_dispatch_0 {
    flow.executable.export public @main_dispatch_0_matmul_4x8x16_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = flow.dispatch.workgroup_count_from_slice
      flow.return %x, %y, %z : index, index, index
    }
  }
}

// The torch dialect around a literal, in a function without tensor arguments.
module {
  func.func @main() -> tensor<3xf32> {
    %0 = torch.vtensor.literal(dense<[1.0, 2.0, 3.0]> : tensor<3xf32>) : !torch.vtensor<[3],f32>
    %1 = torch_c.to_builtin_tensor %0 : !torch.vtensor<[3],f32> -> tensor<3xf32>
    return %1 : tensor<3xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_3_torch.float32: "0x040000000000803F0000004000004040"
    }
  }
#-}

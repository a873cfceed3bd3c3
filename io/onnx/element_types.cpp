#include "io/onnx/element_types.h"

namespace nestor::io::onnx_import {

std::optional<cnm::Type> integer_of(Int bits) {
  for (const auto type : {cnm::Type::i8, cnm::Type::i16, cnm::Type::i32, cnm::Type::i64})
    if (bits <= 8 * cnm::bytes_of(type)) return type;
  return std::nullopt;
}

std::optional<cnm::Type> element_of(const Tensor& tensor, bool weight, const ElementChoice& choice) {
  if (choice.elements) return choice.elements;
  const bool counts = tensor.type == int64_type || tensor.type == bool_type;
  if (choice.bits && !counts) return integer_of(weight ? choice.bits->weight : choice.bits->input);
  switch (tensor.type) {
    case float_type:
      return cnm::Type::f32;
    case double_type:
      return cnm::Type::f64;
    case float16_type:
      return cnm::Type::f16;
    case bfloat16_type:
      return cnm::Type::bf16;
    case uint8_type:
    case int8_type:
    case bool_type:
      return cnm::Type::i8;
    case uint16_type:
    case int16_type:
      return cnm::Type::i16;
    case uint32_type:
    case int32_type:
      return cnm::Type::i32;
    case uint64_type:
    case int64_type:
      return cnm::Type::i64;
    default:
      return std::nullopt;
  }
}

}  // namespace nestor::io::onnx_import

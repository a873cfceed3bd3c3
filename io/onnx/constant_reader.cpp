#include "io/onnx/constant_reader.h"

#include <onnx/onnx_pb.h>

#include <cstring>

namespace nestor::io::onnx_import {
namespace {

// ONNX stores raw data in little-endian order, as do all machines this builds for.
template <typename Stored, typename Value>
bool from_raw(const std::string& raw, std::size_t count, std::vector<Value>& values) {
  if (raw.size() != count * sizeof(Stored)) return false;
  for (std::size_t i = 0; i < count; ++i) {
    Stored stored;
    std::memcpy(&stored, raw.data() + i * sizeof(Stored), sizeof(Stored));
    values.push_back(static_cast<Value>(stored));
  }
  return true;
}

template <typename Field, typename Value>
bool from_field(const Field& field, std::size_t count, std::vector<Value>& values) {
  if (static_cast<std::size_t>(field.size()) != count) return false;
  for (const auto stored : field) values.push_back(static_cast<Value>(stored));
  return true;
}

}  // namespace

std::optional<Constant> read_constant(const ::onnx::TensorProto& tensor) {
  const auto elements = element_count(Shape(tensor.dims().begin(), tensor.dims().end()));
  if (!elements || *elements < 0 || *elements > largest_constant) return std::nullopt;
  if (tensor.data_location() == ::onnx::TensorProto::EXTERNAL) return std::nullopt;
  const auto count = static_cast<std::size_t>(*elements);
  const std::string& raw = tensor.raw_data();
  const bool is_raw = tensor.has_raw_data();
  Constant constant;
  bool read = false;
  switch (tensor.data_type()) {
    case int64_type:
      read = is_raw ? from_raw<std::int64_t>(raw, count, constant.integers)
                    : from_field(tensor.int64_data(), count, constant.integers);
      break;
    case int32_type:
      read = is_raw ? from_raw<std::int32_t>(raw, count, constant.integers)
                    : from_field(tensor.int32_data(), count, constant.integers);
      break;
    case bool_type:
      read = is_raw ? from_raw<std::uint8_t>(raw, count, constant.integers)
                    : from_field(tensor.int32_data(), count, constant.integers);
      break;
    case float_type:
      constant.real = true;
      read = is_raw ? from_raw<float>(raw, count, constant.reals)
                    : from_field(tensor.float_data(), count, constant.reals);
      break;
    case double_type:
      constant.real = true;
      read = is_raw ? from_raw<double>(raw, count, constant.reals)
                    : from_field(tensor.double_data(), count, constant.reals);
      break;
    default:
      break;
  }
  if (!read) return std::nullopt;
  return constant;
}

}  // namespace nestor::io::onnx_import

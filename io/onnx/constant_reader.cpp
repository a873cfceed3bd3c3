#include "io/onnx/constant_reader.h"

#include <onnx/onnx_pb.h>

#include <cmath>
#include <cstring>

#include <fmt/format.h>

namespace nestor::io::onnx_import {
namespace {

// ONNX stores raw data in little-endian order, which all supported machines use.
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

namespace {

constexpr Int most_weights = Int{1} << 31;

double half_float(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const double fraction = bits & 1023;
  const double size = exponent == 0    ? std::ldexp(fraction, -24)
                      : exponent == 31 ? (fraction == 0 ? HUGE_VAL : std::nan(""))
                                       : std::ldexp(1024 + fraction, exponent - 25);
  return (bits & 0x8000) != 0 ? -size : size;
}

struct Stored {
  const ::onnx::TensorProto& tensor;
  std::size_t count;
  std::vector<double>& values;

  template <typename Type, typename Field>
  bool take(const Field& field) const {
    return tensor.has_raw_data() ? from_raw<Type>(tensor.raw_data(), count, values)
                                 : from_field(field, count, values);
  }
  bool take_halves() const {
    std::vector<std::uint16_t> halves;
    if (!(tensor.has_raw_data() ? from_raw<std::uint16_t>(tensor.raw_data(), count, halves)
                                : from_field(tensor.int32_data(), count, halves)))
      return false;
    for (const auto half : halves) values.push_back(half_float(half));
    return true;
  }
  // Reads all elements. Returns false if the stored data do not match the shape, and nothing if the type is
  // unknown.
  std::optional<bool> take_all() const {
    switch (tensor.data_type()) {
      case float_type:
        return take<float>(tensor.float_data());
      case double_type:
        return take<double>(tensor.double_data());
      case float16_type:
        return take_halves();
      case int8_type:
        return take<std::int8_t>(tensor.int32_data());
      case uint8_type:
        return take<std::uint8_t>(tensor.int32_data());
      case int16_type:
        return take<std::int16_t>(tensor.int32_data());
      case uint16_type:
        return take<std::uint16_t>(tensor.int32_data());
      case int32_type:
        return take<std::int32_t>(tensor.int32_data());
      case int64_type:
        return take<std::int64_t>(tensor.int64_data());
      default:
        return std::nullopt;
    }
  }
};

bool holds_nothing(const ::onnx::TensorProto& tensor) {
  return !tensor.has_raw_data() && tensor.float_data().empty() && tensor.int32_data().empty() &&
         tensor.int64_data().empty() && tensor.double_data().empty();
}

}  // namespace

std::variant<std::vector<double>, std::string> read_weights(const ::onnx::TensorProto& tensor) {
  const auto elements = element_count(Shape(tensor.dims().begin(), tensor.dims().end()));
  if (!elements || *elements < 0 || *elements > most_weights) return "more than 2^31 elements";
  if (tensor.data_location() == ::onnx::TensorProto::EXTERNAL)
    return "its data is in another file (external data); store it in the model";
  std::vector<double> values;
  if (*elements == 0 || holds_nothing(tensor)) return values;
  const auto read = Stored{tensor, static_cast<std::size_t>(*elements), values}.take_all();
  if (!read)
    return fmt::format("elements of type {}, which is not supported for weights", tensor.data_type());
  if (!*read) return fmt::format("its data does not have the {} elements of its shape", *elements);
  for (const double value : values)
    if (!std::isfinite(value)) return "an element that is not finite";
  return values;
}

}  // namespace nestor::io::onnx_import

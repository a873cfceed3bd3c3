#include "io/onnx/wire.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace nestor::io::onnx_import {
namespace {

// The messages of onnx.proto that are needed to find tensors and count fields.
enum class Message : std::uint8_t {
  leaf,  ///< a string, packed numbers, or a message that is not parsed
  model,
  graph,
  function,
  node,
  attribute,
  tensor,
  sparse_tensor,
  value_info,
  type,
  tensor_type,
  shape,
  annotation,
  training,
  payload,  ///< a tensor's data
};

struct Child {
  std::uint32_t field;
  Message message;
};

std::span<const Child> children(Message message) {
  static constexpr std::array model = {Child{7, Message::graph}, Child{8, Message::annotation},
                                       Child{14, Message::annotation}, Child{20, Message::training},
                                       Child{25, Message::function}};
  static constexpr std::array graph = {Child{1, Message::node},           Child{5, Message::tensor},
                                       Child{11, Message::value_info},    Child{12, Message::value_info},
                                       Child{13, Message::value_info},    Child{14, Message::annotation},
                                       Child{15, Message::sparse_tensor}, Child{16, Message::annotation}};
  static constexpr std::array function = {Child{7, Message::node}, Child{9, Message::annotation},
                                          Child{11, Message::attribute}, Child{12, Message::value_info},
                                          Child{14, Message::annotation}};
  static constexpr std::array node = {Child{5, Message::attribute}, Child{9, Message::annotation}};
  static constexpr std::array attribute = {
      Child{5, Message::tensor},         Child{6, Message::graph},         Child{10, Message::tensor},
      Child{11, Message::graph},         Child{14, Message::type},         Child{15, Message::type},
      Child{22, Message::sparse_tensor}, Child{23, Message::sparse_tensor}};
  static constexpr std::array tensor = {
      Child{4, Message::payload},  Child{5, Message::payload},     Child{6, Message::payload},
      Child{7, Message::payload},  Child{9, Message::payload},     Child{10, Message::payload},
      Child{11, Message::payload}, Child{13, Message::annotation}, Child{16, Message::annotation}};
  static constexpr std::array sparse = {Child{1, Message::tensor}, Child{2, Message::tensor}};
  static constexpr std::array value_info = {Child{2, Message::type}, Child{4, Message::annotation}};
  static constexpr std::array type = {Child{1, Message::tensor_type}, Child{4, Message::value_info},
                                      Child{5, Message::value_info}, Child{8, Message::tensor_type},
                                      Child{9, Message::value_info}};
  static constexpr std::array tensor_type = {Child{2, Message::shape}};
  static constexpr std::array shape = {Child{1, Message::annotation}};
  static constexpr std::array training = {Child{1, Message::graph}, Child{2, Message::graph},
                                          Child{3, Message::annotation}, Child{4, Message::annotation}};
  switch (message) {
    case Message::model:
      return model;
    case Message::graph:
      return graph;
    case Message::function:
      return function;
    case Message::node:
      return node;
    case Message::attribute:
      return attribute;
    case Message::tensor:
      return tensor;
    case Message::sparse_tensor:
      return sparse;
    case Message::value_info:
      return value_info;
    case Message::type:
      return type;
    case Message::tensor_type:
      return tensor_type;
    case Message::shape:
      return shape;
    case Message::training:
      return training;
    case Message::annotation:
    case Message::leaf:
    case Message::payload:
      return {};
  }
  return {};
}

Message child_of(Message message, std::uint32_t field) {
  for (const Child& child : children(message)) {
    if (child.field == field) return child.message;
  }
  return Message::leaf;
}

class Slimmer {
 public:
  Slimmer(std::string_view bytes, const WireLimits& limits) : bytes_(bytes), limits_(limits) {}

  /// Returns the message in [begin, end) without long payloads. On an error, returns nothing, and failure()
  /// contains the reason.
  std::optional<std::string> slim(Message message, std::size_t begin, std::size_t end, int depth);
  const std::string& failure() const { return failure_; }

 private:
  std::optional<std::uint64_t> varint(std::size_t& at, std::size_t end);
  bool fail(std::string message) {
    if (failure_.empty()) failure_ = std::move(message);
    return false;
  }
  bool copy_field(Message message, std::size_t& at, std::size_t end, int depth, std::string& out);
  bool copy_delimited(Message child, std::size_t start, std::size_t& at, std::size_t end, int depth,
                      std::string& out);
  bool keep(std::string_view piece, std::string& out);

  std::string_view bytes_;
  const WireLimits& limits_;
  std::size_t fields_ = 0;
  std::size_t kept_ = 0;
  std::string failure_;
};

std::optional<std::uint64_t> Slimmer::varint(std::size_t& at, std::size_t end) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (at >= end) {
      fail(fmt::format("truncated: byte {} ends inside a number", at));
      return std::nullopt;
    }
    const auto byte = static_cast<unsigned char>(bytes_[at++]);
    value |= std::uint64_t{byte & 0x7FU} << shift;
    if ((byte & 0x80U) == 0) return value;
  }
  fail(fmt::format("not an ONNX file: the number at byte {} does not end", at - 10));
  return std::nullopt;
}

void append_varint(std::uint64_t value, std::string& out) {
  for (; value >= 0x80U; value >>= 7U) out.push_back(static_cast<char>((value & 0x7FU) | 0x80U));
  out.push_back(static_cast<char>(value));
}

bool Slimmer::keep(std::string_view piece, std::string& out) {
  kept_ += piece.size();
  if (kept_ > limits_.kept_bytes) {
    return fail(fmt::format("more than {} MiB in addition to the weights", limits_.kept_bytes >> 20U));
  }
  out.append(piece);
  return true;
}

bool Slimmer::copy_delimited(Message child, std::size_t start, std::size_t& at, std::size_t end, int depth,
                             std::string& out) {
  const std::string_view tag = bytes_.substr(start, at - start);
  const std::size_t length_at = at;
  const auto length = varint(at, end);
  if (!length) return false;
  if (*length > end - at) {
    return fail(
        fmt::format("truncated: {} bytes declared at byte {}, only {} left", *length, length_at, end - at));
  }
  const std::size_t content = at;
  at += static_cast<std::size_t>(*length);
  if (child == Message::leaf) return keep(bytes_.substr(start, at - start), out);
  if (child == Message::payload) {
    return *length > limits_.payload_bytes || keep(bytes_.substr(start, at - start), out);
  }
  if (depth >= limits_.depth) {
    return fail(fmt::format("nested deeper than {} levels at byte {}", limits_.depth, length_at));
  }
  const auto inner = slim(child, content, at, depth + 1);
  if (!inner) return false;
  out.append(tag);
  append_varint(inner->size(), out);
  out.append(*inner);
  return true;
}

bool Slimmer::copy_field(Message message, std::size_t& at, std::size_t end, int depth, std::string& out) {
  if (++fields_ > limits_.fields) return fail(fmt::format("more than {} fields", limits_.fields));
  const std::size_t start = at;
  const auto tag = varint(at, end);
  if (!tag) return false;
  const auto not_onnx = [&] {
    return fail(fmt::format("not an ONNX file: no field starts at byte {}", start));
  };
  if (*tag >> 3U == 0 || *tag >> 32U != 0) return not_onnx();
  const auto skip = [&](std::size_t count) {
    if (end - at < count) return fail(fmt::format("truncated: byte {} ends inside a field", end));
    at += count;
    return keep(bytes_.substr(start, at - start), out);
  };
  switch (*tag & 7U) {
    case 0:
      return varint(at, end) && keep(bytes_.substr(start, at - start), out);
    case 1:
      return skip(8);
    case 2:
      return copy_delimited(child_of(message, static_cast<std::uint32_t>(*tag >> 3U)), start, at, end, depth,
                            out);
    case 5:
      return skip(4);
    default:  // groups were deprecated before ONNX existed
      return not_onnx();
  }
}

std::optional<std::string> Slimmer::slim(Message message, std::size_t begin, std::size_t end, int depth) {
  std::string out;
  for (std::size_t at = begin; at < end;) {
    if (!copy_field(message, at, end, depth, out)) return std::nullopt;
  }
  return out;
}

}  // namespace

Result<std::shared_ptr<::onnx::ModelProto>> parse_model(std::string_view bytes, const std::string& file,
                                                        const WireLimits& limits) {
  if (bytes.empty()) return input_error({file}, "empty file; expected an ONNX model");
  Slimmer slimmer(bytes, limits);
  const auto kept = slimmer.slim(Message::model, 0, bytes.size(), 0);
  if (!kept) return input_error({file}, slimmer.failure());
  auto model = std::make_shared<::onnx::ModelProto>();
  if (!model->ParseFromString(*kept)) return input_error({file}, "not an ONNX file: protobuf cannot read it");
  if (!model->has_graph()) return input_error({file}, "no graph in this file; expected an ONNX model");
  return model;
}

}  // namespace nestor::io::onnx_import

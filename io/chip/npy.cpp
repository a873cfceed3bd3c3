#include "io/chip/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>

#include "base/parse_number.h"
#include "io/document.h"
#include "io/files.h"

namespace nestor::io {
namespace {

constexpr std::string_view npy_magic = "\x93NUMPY";
constexpr std::size_t most_axes = 16;
constexpr Int most_npy_elements = Int{1} << 28;
constexpr double largest_integer = 0x1p53;

struct Type {
  char order = '<', kind = 'f';
  std::size_t bytes = 4;
};

// Reader of the header, a Python dictionary of three entries. No other Python syntax is supported.
class Header {
 public:
  explicit Header(std::string_view text) : text_(text) {}

  std::string failure;
  Type type;
  bool columns_first = false;
  std::vector<Int> shape;

  bool read() {
    bool seen[3] = {};
    if (!take('{')) return fail("expected a dictionary in the header");
    while (!take('}')) {
      const auto key = quoted();
      if (!key || !take(':')) return fail("expected a key and ':' in the header");
      if (*key == "descr" && !seen[0]) {
        seen[0] = true;
        if (!read_type()) return false;
      } else if (*key == "fortran_order" && !seen[1]) {
        seen[1] = true;
        if (!read_flag()) return false;
      } else if (*key == "shape" && !seen[2]) {
        seen[2] = true;
        if (!read_shape()) return false;
      } else {
        return fail(fmt::format("the key {} in the header is unknown or given twice", quote(*key)));
      }
      if (!take(',') && !ahead('}')) return fail("expected ',' or '}' in the header");
    }
    blanks();
    if (at_ != text_.size()) return fail("the header continues after its dictionary");
    for (const bool key : seen)
      if (!key) return fail("expected descr, fortran_order and shape in the header");
    return true;
  }

 private:
  bool fail(std::string message) {
    failure = std::move(message);
    return false;
  }
  void blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }
  bool ahead(char c) {
    blanks();
    return at_ < text_.size() && text_[at_] == c;
  }
  bool take(char c) {
    if (!ahead(c)) return false;
    ++at_;
    return true;
  }
  std::optional<std::string_view> quoted() {
    blanks();
    if (at_ >= text_.size() || (text_[at_] != '\'' && text_[at_] != '"')) return std::nullopt;
    const auto end = text_.find(text_[at_], at_ + 1);
    if (end == std::string_view::npos) return std::nullopt;
    const auto found = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return found;
  }
  bool read_type() {
    const auto text = quoted();
    static constexpr std::string_view known[] = {"f2", "f4", "f8", "i1", "i2", "i4",
                                                 "i8", "u1", "u2", "u4", "u8"};
    if (!text || text->size() != 3 ||
        std::string_view("<>|=").find(text->front()) == std::string_view::npos ||
        std::find(std::begin(known), std::end(known), text->substr(1)) == std::end(known))
      return fail(fmt::format("elements of type {}; expected floats or integers of at most 8 bytes",
                              quote(text ? *text : "a structure")));
    type = {text->front(), (*text)[1], static_cast<std::size_t>((*text)[2] - '0')};
    return true;
  }
  bool read_flag() {
    blanks();
    for (const std::string_view word : {"True", "False"}) {
      if (!text_.substr(at_).starts_with(word)) continue;
      columns_first = word == "True";
      at_ += word.size();
      return true;
    }
    return fail("fortran_order is neither True nor False");
  }
  bool read_shape() {
    if (!take('(')) return fail("the shape is not a tuple");
    while (!take(')')) {
      blanks();
      const auto end = text_.find_first_not_of("0123456789", at_);
      const auto digits = text_.substr(at_, std::min(end, text_.size()) - at_);
      const auto number = parse_number<Int>(digits);
      if (!number || shape.size() == most_axes)
        return fail("the shape is not a tuple of at most 16 whole numbers");
      shape.push_back(*number);
      at_ += digits.size();
      if (!take(',') && !ahead(')')) return fail("expected ',' or ')' in the shape");
    }
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

double half_float(std::uint64_t bits) {
  const auto exponent = static_cast<int>(bits >> 10 & 31);
  const auto fraction = static_cast<double>(bits & 1023);
  const double size = exponent == 0    ? std::ldexp(fraction, -24)
                      : exponent == 31 ? (fraction == 0 ? HUGE_VAL : std::nan(""))
                                       : std::ldexp(1024 + fraction, exponent - 25);
  return (bits >> 15) != 0 ? -size : size;
}

double element(std::string_view bytes, const Type& type) {
  const char highest = type.order == '>' ? bytes.front() : bytes.back();
  const bool negative = type.kind == 'i' && static_cast<signed char>(highest) < 0;
  std::uint64_t value = negative ? ~std::uint64_t{0} : 0;
  for (std::size_t i = 0; i < type.bytes; ++i) {
    const std::size_t at = type.order == '>' ? i : type.bytes - 1 - i;
    value = value << 8 | static_cast<unsigned char>(bytes[at]);
  }
  if (type.kind == 'u') return static_cast<double>(value);
  if (type.kind == 'i') return static_cast<double>(static_cast<std::int64_t>(value));
  if (type.bytes == 2) return half_float(value);
  if (type.bytes == 4) return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(value)));
  return std::bit_cast<double>(value);
}

// Converts an array from column-major to row-major order.
std::vector<double> turned(const std::vector<double>& values, const std::vector<Int>& shape) {
  std::vector<double> made(values.size());
  std::vector<Int> index(shape.size());
  for (std::size_t from = 0; from < values.size(); ++from) {
    Int to = 0;
    for (std::size_t d = 0; d < shape.size(); ++d) to = to * shape[d] + index[d];
    made[static_cast<std::size_t>(to)] = values[from];
    for (std::size_t d = 0; d < shape.size() && ++index[d] == shape[d]; ++d) index[d] = 0;
  }
  return made;
}

}  // namespace

Result<NpyArray> parse_npy(std::string_view bytes, const std::string& file) {
  const auto error = [&](std::string message) { return input_error({file}, std::move(message)); };
  const auto byte = [&](std::size_t at) {
    return static_cast<std::size_t>(static_cast<unsigned char>(bytes[at]));
  };
  if (!bytes.starts_with(npy_magic) || bytes.size() < 10) return error("not an .npy file");
  const std::size_t version = byte(6);
  if (version < 1 || version > 3)
    return error(fmt::format("version {} of .npy is unknown; expected 1 to 3", version));
  const std::size_t begin = version == 1 ? 10 : 12;
  if (bytes.size() < begin) return error("truncated: the header's length is missing");
  std::size_t length = byte(8) | byte(9) << 8;
  if (version > 1) length |= byte(10) << 16 | byte(11) << 24;
  if (length > bytes.size() - begin)
    return error(
        fmt::format("truncated: the header should have {} bytes, {} are left", length, bytes.size() - begin));
  Header header(bytes.substr(begin, length));
  if (!header.read()) return error(header.failure);
  std::optional<Int> count = 1;
  for (const Int extent : header.shape)
    if (count) count = checked_multiply(*count, extent);
  if (!count || *count > most_npy_elements) return error("more than 2^28 elements");
  const auto wanted = static_cast<std::size_t>(*count) * header.type.bytes;
  const auto data = bytes.substr(begin + length);
  if (data.size() != wanted)
    return error(fmt::format("{} bytes of elements, expected {}", data.size(), wanted));
  NpyArray made;
  made.shape = header.shape;
  made.real = header.type.kind == 'f';
  made.is_unsigned = header.type.kind == 'u';
  made.bits = static_cast<Int>(8 * header.type.bytes);
  made.values.reserve(static_cast<std::size_t>(*count));
  for (std::size_t at = 0; at < wanted; at += header.type.bytes) {
    const double value = element(data.substr(at, header.type.bytes), header.type);
    if (!std::isfinite(value) || (!made.real && std::fabs(value) > largest_integer))
      return error(fmt::format("element {} is not finite, or too large", at / header.type.bytes));
    made.values.push_back(value);
  }
  if (header.columns_first && made.shape.size() > 1) made.values = turned(made.values, made.shape);
  return made;
}

Result<NpyArray> read_npy(const std::string& path) {
  const auto bytes = read_file(path);
  if (!bytes) return bytes.error();
  return parse_npy(*bytes, path);
}

std::string npy_of(const std::vector<Int>& values, const std::vector<Int>& shape, Int bits) {
  std::string dims;
  for (const Int extent : shape) dims += fmt::format("{}{}", extent, shape.size() == 1 ? "," : ", ");
  if (shape.size() > 1) dims.resize(dims.size() - 2);
  auto header = fmt::format("{{'descr': '{}i{}', 'fortran_order': False, 'shape': ({}), }}",
                            bits == 8 ? '|' : '<', bits / 8, dims);
  constexpr std::size_t alignment = 64;
  header.append(alignment - (11 + header.size()) % alignment, ' ');
  header += '\n';
  std::string bytes(npy_magic);
  bytes += {1, 0, static_cast<char>(header.size() & 255), static_cast<char>(header.size() >> 8)};
  bytes += header;
  for (const Int value : values)
    for (Int shift = 0; shift < bits; shift += 8)
      bytes += static_cast<char>(static_cast<std::uint64_t>(value) >> shift & 255);
  return bytes;
}

}  // namespace nestor::io

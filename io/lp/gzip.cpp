#include "io/lp/gzip.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

namespace nestor::io {
namespace {

constexpr int gzip_window = 15 + 16;  // zlib: 32 KiB window, gzip header
constexpr std::size_t largest_feed = std::size_t{1} << 30;

// zlib requires mutable bytes although it does not write to them.
void feed(z_stream& stream, std::vector<Bytef>& bytes, std::size_t& at) {
  const std::size_t size = std::min(bytes.size() - at, largest_feed);
  stream.next_in = bytes.data() + at;
  stream.avail_in = static_cast<uInt>(size);
  at += size;
}

}  // namespace

bool is_gzip(std::string_view content) {
  return content.size() >= 2 && content[0] == '\x1f' && content[1] == '\x8b';
}

Result<std::string> gunzip(std::string_view content, const std::string& file, std::uintmax_t limit) {
  z_stream stream{};
  if (inflateInit2(&stream, gzip_window) != Z_OK) return internal_error("zlib cannot be started");
  std::vector<Bytef> bytes(content.begin(), content.end());
  std::string text;
  std::array<Bytef, 1 << 16> out{};
  std::size_t at = 0;
  int status = Z_OK;
  while (status == Z_OK && text.size() <= limit) {
    if (stream.avail_in == 0) {
      if (at == bytes.size()) break;
      feed(stream, bytes, at);
    }
    stream.next_out = out.data();
    stream.avail_out = static_cast<uInt>(out.size());
    status = inflate(&stream, Z_NO_FLUSH);
    const std::size_t count = out.size() - stream.avail_out;
    std::transform(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(count), std::back_inserter(text),
                   [](Bytef byte) { return static_cast<char>(byte); });
    // Concatenated files have another member after the first.
    if (status == Z_STREAM_END && stream.avail_in > 0) status = inflateReset(&stream);
  }
  inflateEnd(&stream);
  if (text.size() > limit) return input_error({file}, fmt::format("unpacks to more than {} bytes", limit));
  if (status != Z_STREAM_END) return input_error({file}, "damaged or truncated gzip data");
  return text;
}

std::string gzip(std::string_view text) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_window, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    return {};
  std::vector<Bytef> bytes(text.begin(), text.end());
  std::string packed;
  std::array<Bytef, 1 << 16> out{};
  std::size_t at = 0;
  int status = Z_OK;
  while (status == Z_OK) {
    if (stream.avail_in == 0 && at < bytes.size()) feed(stream, bytes, at);
    stream.next_out = out.data();
    stream.avail_out = static_cast<uInt>(out.size());
    status = deflate(&stream, at == bytes.size() ? Z_FINISH : Z_NO_FLUSH);
    for (std::size_t k = 0; k < out.size() - stream.avail_out; ++k)
      packed.push_back(static_cast<char>(out[k]));
  }
  deflateEnd(&stream);
  return packed;
}

}  // namespace nestor::io

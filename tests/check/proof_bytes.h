// Functions that compress and decompress the bytes of a proof file (zstd).
#pragma once

#include <zstd.h>

#include <string>
#include <vector>

namespace nestor::check_cases {

inline std::string decompressed(const std::string& bytes) {
  ZSTD_DCtx* const context = ZSTD_createDCtx();
  ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
  std::string text;
  std::vector<char> block(1U << 16U);
  while (in.pos < in.size) {
    ZSTD_outBuffer out{block.data(), block.size(), 0};
    if (ZSTD_isError(ZSTD_decompressStream(context, &out, &in)) != 0) break;
    text.append(block.data(), out.pos);
  }
  ZSTD_freeDCtx(context);
  return text;
}

inline std::string compressed(const std::string& text) {
  std::string bytes(ZSTD_compressBound(text.size()), '\0');
  bytes.resize(ZSTD_compress(bytes.data(), bytes.size(), text.data(), text.size(), 1));
  return bytes;
}

}  // namespace nestor::check_cases

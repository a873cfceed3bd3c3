// From bytes to ModelProto, for bytes that nobody vouches for. The protobuf wire format is walked first:
// tensor payloads too long to matter for shapes are left out (so weights are never decoded), nesting and
// field counts are bounded (so that a small file cannot become a huge object), and truncation is reported
// with its byte offset. Only what survives reaches the protobuf parser.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "io/error.h"

namespace onnx {
class ModelProto;
}

namespace nestor::io::onnx_import {

struct WireLimits {
  std::size_t payload_bytes = 16U << 10U;  ///< a tensor's data above this is weights, and left out
  std::size_t kept_bytes = 64U << 20U;     ///< what may remain after that
  std::size_t fields = 4'000'000;
  int depth = 64;
};

/// The model without its weights, or an error for `file`.
Result<std::shared_ptr<::onnx::ModelProto>> parse_model(std::string_view bytes, const std::string& file,
                                                        const WireLimits& limits = {});

}  // namespace nestor::io::onnx_import

// Conversion of untrusted bytes to a ModelProto. A scan of the protobuf wire format comes first. It omits
// tensor payloads above a size limit. The default limit keeps the short tensors that determine shapes and
// omits weights. The scan also limits nesting and field counts, so that a small file cannot become a huge
// object. It reports truncation with the byte offset. Only the remaining bytes reach the protobuf parser.
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
  std::size_t payload_bytes = 16U << 10U;  ///< larger tensor data are omitted; by default, these are weights
  std::size_t kept_bytes = 64U << 20U;     ///< limit on the remaining bytes
  std::size_t fields = 4'000'000;
  int depth = 64;
};

/// Returns the model without tensor data above the limit, or an error for `file`.
Result<std::shared_ptr<::onnx::ModelProto>> parse_model(std::string_view bytes, const std::string& file,
                                                        const WireLimits& limits = {});

}  // namespace nestor::io::onnx_import

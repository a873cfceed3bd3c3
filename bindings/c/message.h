// SPDX-License-Identifier: Apache-2.0
// Messages of the C API, copied into a buffer of the caller and truncated to its size.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string_view>

namespace nestor::c_api {

inline void tell(std::string_view text, char* message, std::size_t bytes) {
  if (message == nullptr || bytes == 0) return;
  const std::size_t length = std::min(text.size(), bytes - 1);
  std::memcpy(message, text.data(), length);
  message[length] = '\0';
}

}  // namespace nestor::c_api

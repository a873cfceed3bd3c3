// SPDX-License-Identifier: Apache-2.0
// A small machine and layers for tests of the C API.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "nestor.h"

using Bytes = std::vector<unsigned char>;

inline constexpr nestor_set all = 1U << NESTOR_INPUT | 1U << NESTOR_WEIGHT | 1U << NESTOR_OUTPUT;

// A macro of 32 rows and 8 columns below a buffer of 8 KiB.
inline const std::array<nestor_memory, 5> memories = {{
    {all, 0, 0, 0, 32, 2, 2},
    {all, 0, 1, 8 * 1024 * 8, 64, 0.5, 0.5},
    {1U << NESTOR_INPUT, 0, 1, 512, 128, 0.1, 0.1},
    {1U << NESTOR_OUTPUT, 1, 0, 512, 128, 0.1, 0.1},
    {1U << NESTOR_WEIGHT, 2, 0, 64, 64, 0.1, 0.1},
}};
inline const std::array<nestor_axis, 2> axes = {{{1U << NESTOR_C | 1U << NESTOR_R, 32}, {1U << NESTOR_K, 8}}};

inline nestor_machine machine() {
  return {memories.data(), axes.data(), memories.size(), axes.size(), 4, 0.1, 0};
}
inline nestor_layer layer(std::int64_t channels) {
  return {{1, channels, channels, 6, 6, 3, 3, 1}, {1, 1}, {1, 1}, 8, 8, 8, 32};
}

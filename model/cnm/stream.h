// Command stream of an HBM-PIM channel: bursts in groups, where the last burst of a group carries a fence,
// and groups in loops. A burst's row and column are linear in the surrounding loops, so a stream of any
// length takes little memory. docs/models/cnm.md, "The HBM-PIM machine", defines the streams of the kernels.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "model/cnm/system.h"

namespace nestor::cnm {

/// Maximum nesting of loops: over steps of each dim, over parts of a tile, and over its repeats.
inline constexpr std::size_t max_stream_depth = 10;

/// Rows that address registers and modes of the PIM units instead of data.
inline constexpr Int row_park = 0x1000;
inline constexpr Int row_all_bank = 0x17ff;
inline constexpr Int row_single_bank = 0x1fff;
inline constexpr Int row_registers = 0x3fff;

/// `count` bursts that start at an address (row * row_bursts + column) and may continue in the next row.
struct Access {
  bool write = false;
  Int bank = 0;
  Int count = 1;
  Int address = 0;
  std::array<Int, max_stream_depth> stride{};  ///< change of the address per trip, by depth of the loop

  friend bool operator==(const Access&, const Access&) = default;
};

/// A group of bursts, or a loop (trips >= 0).
struct StreamItem {
  Int trips = -1;
  std::vector<Access> accesses{};
  std::vector<StreamItem> body{};

  bool is_loop() const { return trips >= 0; }
  friend bool operator==(const StreamItem&, const StreamItem&) = default;
};
using Stream = std::vector<StreamItem>;

/// Kernels of the vendor's library.
inline constexpr std::array<std::string_view, 5> pim_kernels = {"add", "mul", "relu", "gemv", "gemvtree"};

struct PimKernel {
  std::size_t kind = 0;  ///< index into pim_kernels
  Int out_tiles = 1;
  Int in_tiles = 1;
};
bool is_elementwise(const PimKernel& kernel);

/// Returns the stream of a kernel, or nothing if there are too many tiles.
std::optional<Stream> stream_of(const PimKernel& kernel, const System& system);

/// Returns the highest row of data. stream_of() must accept the numbers of tiles.
Int highest_data_row(const PimKernel& kernel, const System& system);

/// Returns the number of bursts of the whole stream, or nothing if it exceeds max_count.
std::optional<Int> burst_count(const Stream& stream);

}  // namespace nestor::cnm

// The command stream of an HBM-PIM channel: bursts in groups, the last burst of a group carrying a fence,
// groups in loops. A burst's row and column are linear in the loops around it, so that a stream of any length
// is small. docs/models/cnm.md, "The HBM-PIM machine", defines the streams of the kernels.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "model/cnm/system.h"

namespace nestor::cnm {

/// Loops over steps of each dim, over parts of a tile, and over repeats of it.
inline constexpr std::size_t max_stream_depth = 10;

/// Rows that are registers and modes of the PIM units, not data.
inline constexpr Int row_park = 0x1000;
inline constexpr Int row_all_bank = 0x17ff;
inline constexpr Int row_single_bank = 0x1fff;
inline constexpr Int row_registers = 0x3fff;

/// `count` bursts from an address on (row * row_bursts + column), running on into the next row.
struct Access {
  bool write = false;
  Int bank = 0;
  Int count = 1;
  Int address = 0;
  std::array<Int, max_stream_depth> stride{};  ///< of the address, by depth of the loop

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

/// The kernels that the machine's library has.
inline constexpr std::array<std::string_view, 5> pim_kernels = {"add", "mul", "relu", "gemv", "gemvtree"};

struct PimKernel {
  std::size_t kind = 0;  ///< position in pim_kernels
  Int out_tiles = 1;
  Int in_tiles = 1;
};
bool is_elementwise(const PimKernel& kernel);

/// Nothing if the tiles are too many to count.
std::optional<Stream> stream_of(const PimKernel& kernel, const System& system);

/// The highest row of data; -1 if there is none. Tiles were checked.
Int highest_data_row(const PimKernel& kernel, const System& system);

/// Bursts of the whole stream; nothing beyond max_count.
std::optional<Int> burst_count(const Stream& stream);

}  // namespace nestor::cnm

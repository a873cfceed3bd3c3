// Partition of a kernel's iteration space over the levels of a system (docs/models/cnm.md, "Mappings"): the
// number of parts per level and dim, the share of one unit, the tile in its buffers, and the loop order. A
// kernel may be divided into several boxes with one map each, which run one after the other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/enum_words.h"
#include "model/cnm/kernel.h"
#include "model/cnm/system.h"

namespace nestor::cnm {

/// Distribution of a map's tiles over even and odd banks on HBM-PIM, and the order in which they are
/// processed.
enum class PimHalf : std::uint8_t { alternate, split, even };
inline constexpr auto pim_halves = enum_words<PimHalf>(
    {{PimHalf::alternate, "alternate"}, {PimHalf::split, "split"}, {PimHalf::even, "even"}});
/// Rows of operands on HBM-PIM: separate rows, or rows in which the tiles of operands alternate.
enum class PimLayout : std::uint8_t { apart, together };
inline constexpr auto pim_layouts =
    enum_words<PimLayout>({{PimLayout::apart, "apart"}, {PimLayout::together, "together"}});

/// Choices on HBM-PIM in addition to block and order. A map without any of them runs a stream of the vendor's
/// library, if the library has one for the kernel.
struct PimKeys {
  std::optional<Int> grf{};           ///< pointwise: number of vectors processed at a time
  std::optional<PimLayout> layout{};  ///< pointwise: rows of the operands
  std::optional<PimHalf> half{};
  std::optional<std::size_t> half_dim{};  ///< contraction: the dim whose steps the halves share
  /// For a contraction: index of the factor of a product that is in the banks.
  std::optional<std::size_t> bank{};
  bool any() const { return grf || layout || half || half_dim || bank; }
  friend bool operator==(const PimKeys&, const PimKeys&) = default;
};

struct CnmMap {
  std::string name = "M1";
  /// Numbers of parts by level, outermost first, followed by the iterations of one unit.
  std::vector<std::vector<Int>> tuples;
  std::vector<Int> block;          ///< empty for the default
  std::vector<std::size_t> order;  ///< dims of the step loops, outermost first; empty for the default
  std::optional<Int> collect;      ///< number of elements of an output that are gathered for one write
  PimKeys pim{};

  const std::vector<Int>& local() const { return tuples.back(); }
  Int parts(std::size_t level) const;  ///< number of units that the map uses on a level
  Int extent(std::size_t dim) const;   ///< extent of the map's box
  friend bool operator==(const CnmMap&, const CnmMap&) = default;
};

using CnmMapping = std::vector<CnmMap>;

/// Returns the reason why the shape of a map is invalid, as a sentence, or an empty string.
std::string find_shape_fault(const CnmMap& map, std::size_t dims, const System& system);

/// Least corner of each map's box. `fault` states why the boxes do not cover every point exactly once.
struct Allocation {
  std::vector<std::vector<Int>> corners;
  std::string fault;
};
Allocation allocate(const CnmMapping& mapping, const std::vector<Int>& extents);

/// Returns the positions of the maps in execution order, which is the order of the numbers in their names.
std::vector<std::size_t> execution_order(const CnmMapping& mapping);

/// Returns a single map that assigns the whole kernel to the first unit, for a kernel without a mapping.
CnmMap single_unit(const Kernel& kernel, std::size_t levels);

}  // namespace nestor::cnm

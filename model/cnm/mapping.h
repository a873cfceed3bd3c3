// Partition of a kernel's iteration space over the levels of a system (docs/models/cnm.md, "Mappings"): the
// number of parts for each level and dim, the share of one unit, the tile held in buffers, and the loop
// order. A kernel may be mapped in several boxes, which run one after the other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/enum_words.h"
#include "model/cnm/kernel.h"
#include "model/cnm/system.h"

namespace nestor::cnm {

/// Distribution of a map's tiles on HBM-PIM over even and odd banks, and the order of their processing.
enum class PimHalf : std::uint8_t { alternate, split, even };
inline constexpr auto pim_halves = enum_words<PimHalf>(
    {{PimHalf::alternate, "alternate"}, {PimHalf::split, "split"}, {PimHalf::even, "even"}});
/// Operands have separate rows, or their tiles alternate in the same rows.
enum class PimLayout : std::uint8_t { apart, together };
inline constexpr auto pim_layouts =
    enum_words<PimLayout>({{PimLayout::apart, "apart"}, {PimLayout::together, "together"}});

/// Choices on HBM-PIM besides block and order. A map without any of them runs a stream of the vendor's
/// library, if one computes the kernel.
struct PimKeys {
  std::optional<Int> grf{};           ///< pointwise: number of vectors at a time
  std::optional<PimLayout> layout{};  ///< pointwise
  std::optional<PimHalf> half{};
  std::optional<std::size_t> half_dim{};  ///< contraction: the dim whose steps the halves share
  std::optional<std::size_t> bank{};      ///< contraction: the factor of a product that is in the banks
  bool any() const { return grf || layout || half || half_dim || bank; }
  friend bool operator==(const PimKeys&, const PimKeys&) = default;
};

struct CnmMap {
  std::string name = "M1";
  std::vector<std::vector<Int>> tuples;  ///< by level, outermost first, then the iterations of one unit
  std::vector<Int> block;                ///< empty for the default
  std::vector<std::size_t> order;        ///< step loops, outermost first; empty for the default
  std::optional<Int> collect;
  PimKeys pim{};

  const std::vector<Int>& local() const { return tuples.back(); }
  Int parts(std::size_t level) const;  ///< units used on a level
  Int extent(std::size_t dim) const;   ///< extent of its box
  friend bool operator==(const CnmMap&, const CnmMap&) = default;
};

using CnmMapping = std::vector<CnmMap>;

/// Returns why the shape of a map is invalid, as a sentence, or an empty string.
std::string find_shape_fault(const CnmMap& map, std::size_t dims, const System& system);

/// Least corner of each map's box. `fault` names a point that is missing or covered twice.
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

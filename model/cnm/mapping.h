// Partition of a kernel's iteration space over the levels of a system (docs/models/cnm.md, "Mappings"): for
// each level and dim a number of parts, what is left to one unit, the tile held in buffers, and the order of
// loops. A kernel may be mapped in several boxes, which run one after another.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/enum_words.h"
#include "model/cnm/kernel.h"
#include "model/cnm/system.h"

namespace nestor::cnm {

/// Which tiles of a map on HBM-PIM lie in the even and in the odd banks, and how it goes through them.
enum class PimHalf : std::uint8_t { alternate, split, even };
inline constexpr auto pim_halves = enum_words<PimHalf>(
    {{PimHalf::alternate, "alternate"}, {PimHalf::split, "split"}, {PimHalf::even, "even"}});
/// Whether operands have rows of their own or lie in turn.
enum class PimLayout : std::uint8_t { apart, together };
inline constexpr auto pim_layouts =
    enum_words<PimLayout>({{PimLayout::apart, "apart"}, {PimLayout::together, "together"}});

/// What may be chosen on HBM-PIM besides block and order. A map with none of all these runs a stream of the
/// vendor's library, if one computes the kernel.
struct PimKeys {
  std::optional<Int> grf{};           ///< pointwise: vectors at a time
  std::optional<PimLayout> layout{};  ///< pointwise
  std::optional<PimHalf> half{};
  std::optional<std::size_t> half_dim{};  ///< contraction: the dim whose steps the halves share
  std::optional<std::size_t> bank{};      ///< contraction: which factor of a product lies in the banks
  bool any() const { return grf || layout || half || half_dim || bank; }
  friend bool operator==(const PimKeys&, const PimKeys&) = default;
};

struct CnmMap {
  std::string name = "M1";
  std::vector<std::vector<Int>> tuples;  ///< by level, outermost first, then what one unit iterates over
  std::vector<Int> block;                ///< empty: the default
  std::vector<std::size_t> order;        ///< step loops, outermost first; empty: the default
  std::optional<Int> collect;
  PimKeys pim{};

  const std::vector<Int>& local() const { return tuples.back(); }
  Int parts(std::size_t level) const;  ///< units used on a level
  Int extent(std::size_t dim) const;   ///< of its box
  friend bool operator==(const CnmMap&, const CnmMap&) = default;
};

using CnmMapping = std::vector<CnmMap>;

/// What is wrong with the shape of a map, in a sentence; empty if nothing.
std::string find_shape_fault(const CnmMap& map, std::size_t dims, const System& system);

/// Where each map's box lies: its least corner. `fault` says which point is missed or covered twice.
struct Allocation {
  std::vector<std::vector<Int>> corners;
  std::string fault;
};
Allocation allocate(const CnmMapping& mapping, const std::vector<Int>& extents);

/// Positions of the maps in the order of the numbers in their names, in which they run.
std::vector<std::size_t> execution_order(const CnmMapping& mapping);

/// The box alone, mapped whole on the first unit: what a kernel without a mapping gets.
CnmMap single_unit(const Kernel& kernel, std::size_t levels);

}  // namespace nestor::cnm

// Mapping of the pim space: a loop nest with its blocks, the memories that store an operand although none of
// its loops is in them, and the layout of each operand in DRAM (docs/models/pim.md, sections 2 and 5).
#pragma once

#include "base/enum_words.h"
#include "model/loopnest/mapping.h"

namespace nestor::pim {

enum class LayoutKind : std::uint8_t { sequential, hwc, row_aligned };
inline constexpr auto layout_kinds = enum_words<LayoutKind>({{LayoutKind::sequential, "sequential"},
                                                             {LayoutKind::hwc, "hwc"},
                                                             {LayoutKind::row_aligned, "row_aligned"}});
inline constexpr std::size_t layout_kind_count = layout_kinds.values.size();

/// Set of layout kinds.
using LayoutSet = EnumSet<LayoutKind>;
inline constexpr LayoutSet all_layouts =
    LayoutSet::of(LayoutKind::sequential, LayoutKind::hwc, LayoutKind::row_aligned);

/// Order of an operand's elements in DRAM rows.
struct Layout {
  LayoutKind kind = LayoutKind::sequential;
  Int block_height = 1;  ///< row_aligned I and O: height and width of a plane's blocks
  Int block_width = 1;
  friend constexpr bool operator==(const Layout&, const Layout&) = default;
};
using Layouts = std::array<Layout, operand_count>;

/// Pairs of a memory and an operand, represented as one set of operands per memory.
using StoredPairs = std::array<OperandSet, max_memories>;

struct PimMapping {
  Mapping nest;
  Layouts layouts{};
  StoredPairs stored{};  ///< pairs that are used even without loops
  friend constexpr bool operator==(const PimMapping&, const PimMapping&) = default;
};

/// True if all indices of the loop nest and all layouts are in range.
constexpr bool is_whole(const PimMapping& mapping) {
  for (const Layout& layout : mapping.layouts)
    if (static_cast<std::size_t>(layout.kind) >= layout_kind_count || layout.block_height < 1 ||
        layout.block_width < 1)
      return false;
  return is_whole(mapping.nest);
}

}  // namespace nestor::pim

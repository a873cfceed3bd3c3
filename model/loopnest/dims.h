// The eight dimensions of a layer's loop nest and its three operands (docs/models/cim.md, section 1). G
// enumerates groups, which share no elements. G is the last dimension, so that loop nests without groups are
// represented as they would be without this dimension. The enumerations of dimensions and operands index all
// arrays in the loop-nest modules.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/checked.h"

namespace nestor {

enum class Dim : std::uint8_t { N, K, C, P, Q, R, S, G };
inline constexpr std::size_t dim_count = 8;
inline constexpr std::array<Dim, dim_count> all_dims = {Dim::N, Dim::K, Dim::C, Dim::P,
                                                        Dim::Q, Dim::R, Dim::S, Dim::G};
/// Dimensions of one group.
inline constexpr std::size_t group_dim_count = 7;
inline constexpr std::array<Dim, group_dim_count> group_dims = {Dim::N, Dim::K, Dim::C, Dim::P,
                                                                Dim::Q, Dim::R, Dim::S};

enum class Operand : std::uint8_t { I, W, O };
inline constexpr std::size_t operand_count = 3;
inline constexpr std::array<Operand, operand_count> all_operands = {Operand::I, Operand::W, Operand::O};

constexpr std::size_t index_of(Dim dim) { return static_cast<std::size_t>(dim); }
constexpr std::size_t index_of(Operand operand) { return static_cast<std::size_t>(operand); }
constexpr char letter(Dim dim) { return "NKCPQRSG"[index_of(dim)]; }
constexpr char letter(Operand operand) { return "IWO"[index_of(operand)]; }

/// One extent, factor or bound per dimension.
using Extents = std::array<Int, dim_count>;
inline constexpr Extents unit_extents = {1, 1, 1, 1, 1, 1, 1, 1};

/// Returns the product of all extents: the number of MACs for a layer's bounds, or of lanes for the factors
/// of an axis. Callers select double unless the product is known to fit an Int.
template <typename Number = Int>
constexpr Number product_of(const Extents& extents) {
  Number product = 1;
  for (const Int extent : extents) product *= static_cast<Number>(extent);
  return product;
}

/// Returns the product of the two extents of each dimension.
constexpr Extents times(Extents a, const Extents& b) {
  for (std::size_t d = 0; d < dim_count; ++d) a[d] *= b[d];
  return a;
}

/// A set of dimensions or operands, as bits.
template <typename Enum>
class EnumSet {
 public:
  constexpr EnumSet() = default;
  template <typename... Items>
  static constexpr EnumSet of(Items... items) {
    EnumSet set;
    (set.insert(items), ...);
    return set;
  }
  constexpr void insert(Enum item) { bits_ = static_cast<std::uint8_t>(bits_ | mask(item)); }
  constexpr void erase(Enum item) { bits_ = static_cast<std::uint8_t>(bits_ & ~mask(item)); }
  constexpr bool contains(Enum item) const { return (bits_ & mask(item)) != 0; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr std::uint8_t bits() const { return bits_; }
  friend constexpr bool operator==(EnumSet, EnumSet) = default;

 private:
  static constexpr std::uint8_t mask(Enum item) {
    return static_cast<std::uint8_t>(1U << static_cast<unsigned>(item));
  }
  std::uint8_t bits_ = 0;
};
using DimSet = EnumSet<Dim>;
/// All dimensions of one group.
inline constexpr auto group_dim_set = DimSet::of(Dim::N, Dim::K, Dim::C, Dim::P, Dim::Q, Dim::R, Dim::S);
inline constexpr auto every_dim = DimSet::of(Dim::N, Dim::K, Dim::C, Dim::P, Dim::Q, Dim::R, Dim::S, Dim::G);
using OperandSet = EnumSet<Operand>;

}  // namespace nestor

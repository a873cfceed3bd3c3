// The ways to cut a kernel's dims over the channels, blocks and lanes of HBM-PIM that `map` goes through.
#pragma once

#include <utility>
#include <vector>

#include "model/cnm/mapping.h"
#include "model/cnm/system.h"

namespace nestor::cnm {

using Tuples = std::vector<std::vector<Int>>;

/// All ways to write a number as a product in order, of so many factors.
Tuples factorisations(Int number, std::size_t factors);

/// All tuples whose product is at most `size`, no factor above its extent.
Tuples tuples_within(Int size, const std::vector<Int>& extents);

/// Factor by factor.
std::vector<Int> products(const std::vector<Int>& a, const std::vector<Int>& b);

/// The products of each of `a` and each of `b`, once each, and which of them each pair has, b faster.
std::pair<Tuples, std::vector<std::size_t>> distinct_products(const Tuples& a, const Tuples& b);

/// True if every factor divides its extent.
bool divide(const std::vector<Int>& parts, const std::vector<Int>& extents);

/// Fewer channels, the least tuples, block, order, half, layout and vectors at a time; what is left out
/// comes first.
bool channels_precede(const CnmMap& a, const CnmMap& b);

}  // namespace nestor::cnm

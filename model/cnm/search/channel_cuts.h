// Enumeration of the splits of a kernel's dims over the channels, blocks and lanes of HBM-PIM, for `nestor
// map`.
#pragma once

#include <utility>
#include <vector>

#include "model/cnm/mapping.h"
#include "model/cnm/system.h"

namespace nestor::cnm {

using Tuples = std::vector<std::vector<Int>>;

/// Returns all ordered factorisations of a number into the given number of factors.
Tuples factorisations(Int number, std::size_t factors);

/// Returns all tuples whose product is at most `size` and whose factors do not exceed their extents.
Tuples tuples_within(Int size, const std::vector<Int>& extents);

/// Returns the elementwise product.
std::vector<Int> products(const std::vector<Int>& a, const std::vector<Int>& b);

/// Returns the distinct products of an element of `a` and an element of `b`, and the index of each pair's
/// product, with b varying faster.
std::pair<Tuples, std::vector<std::size_t>> distinct_products(const Tuples& a, const Tuples& b);

/// True if every factor divides its extent.
bool divide(const std::vector<Int>& parts, const std::vector<Int>& extents);

/// True if `a` precedes `b` in the order of ties: fewer channels, then the least tuples, block, order, half,
/// layout and number of vectors at a time. An omitted key comes first.
bool channels_precede(const CnmMap& a, const CnmMap& b);

}  // namespace nestor::cnm

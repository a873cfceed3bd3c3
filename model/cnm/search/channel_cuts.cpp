#include "model/cnm/search/channel_cuts.h"

#include <algorithm>
#include <tuple>

#include "base/tables/hash_table.h"

namespace nestor::cnm {
namespace {

void factorise(Int left, std::size_t factors, std::vector<Int>& tuple, Tuples& all) {
  if (tuple.size() + 1 == factors) {
    tuple.push_back(left);
    all.push_back(tuple);
    tuple.pop_back();
    return;
  }
  for (Int factor = 1; factor <= left; ++factor) {
    if (left % factor != 0) continue;
    tuple.push_back(factor);
    factorise(left / factor, factors, tuple, all);
    tuple.pop_back();
  }
}

void extend(Int left, const std::vector<Int>& extents, std::vector<Int>& tuple, Tuples& all) {
  if (tuple.size() == extents.size()) {
    all.push_back(tuple);
    return;
  }
  for (Int factor = 1; factor <= std::min(left, extents[tuple.size()]); ++factor) {
    tuple.push_back(factor);
    extend(left / factor, extents, tuple, all);
    tuple.pop_back();
  }
}

}  // namespace

Tuples factorisations(Int number, std::size_t factors) {
  Tuples all;
  std::vector<Int> tuple;
  factorise(number, factors, tuple, all);
  return all;
}

Tuples tuples_within(Int size, const std::vector<Int>& extents) {
  Tuples all;
  std::vector<Int> tuple;
  extend(size, extents, tuple, all);
  return all;
}

std::vector<Int> products(const std::vector<Int>& a, const std::vector<Int>& b) {
  std::vector<Int> all = a;
  for (std::size_t d = 0; d < b.size(); ++d) all[d] *= b[d];
  return all;
}

std::pair<Tuples, std::vector<std::size_t>> distinct_products(const Tuples& a, const Tuples& b) {
  std::pair<Tuples, std::vector<std::size_t>> found;
  HashMap<std::vector<Int>, std::size_t> places;
  for (const auto& first : a)
    for (const auto& second : b) {
      auto product = products(first, second);
      const auto [place, fresh] = places.try_emplace(product, found.first.size());
      found.second.push_back(place->second);
      if (fresh) found.first.push_back(std::move(product));
    }
  return found;
}

bool divide(const std::vector<Int>& parts, const std::vector<Int>& extents) {
  for (std::size_t d = 0; d < parts.size(); ++d)
    if (extents[d] % parts[d] != 0) return false;
  return true;
}

bool channels_precede(const CnmMap& a, const CnmMap& b) {
  if (a.parts(0) != b.parts(0)) return a.parts(0) < b.parts(0);
  if (a.tuples != b.tuples) return a.tuples < b.tuples;
  if (a.block != b.block) return a.block < b.block;
  if (a.order != b.order) return a.order < b.order;
  return std::tie(a.pim.half, a.pim.layout, a.pim.grf) < std::tie(b.pim.half, b.pim.layout, b.pim.grf);
}

}  // namespace nestor::cnm

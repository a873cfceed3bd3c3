#include "model/loopnest/flexible_factors.h"

#include <optional>

namespace nestor {
namespace {

// Counts the partitions of a factor set into one, two or three products. An unordered pair or triple of
// products is counted once, in ascending order, even if different sub-multisets have the same products. The
// count enumerates the pairs d1 <= d2 and triples d1 <= d2 <= d3 of divisors whose product is the bound. For
// each of them, splits() tries to distribute the factors over the parts. This is exact, and fast enough for
// the small sets that occur here.
class PartitionCount {
 public:
  explicit PartitionCount(const FactorSet& set) : set_(set), bound_(set.product()) {}

  double score(const FlexibleFactors& options) {
    return options.weights[0] * 1 + options.weights[1] * static_cast<double>(pairs()) +
           options.weights[2] * static_cast<double>(triples());
  }

 private:
  // No part may be empty, so parts with product 1 are not counted.
  Int pairs() const {
    Int count = 0;
    for (Int a = 2; a <= bound_ / a; ++a)
      if (bound_ % a == 0 && splits(set_.factors.size(), {a, bound_ / a, 1})) ++count;
    return count;
  }
  Int triples() const {
    Int count = 0;
    for (Int a = 2; a <= bound_ / a / a; ++a) {
      if (bound_ % a != 0) continue;
      const Int rest = bound_ / a;
      for (Int b = a; b <= rest / b; ++b)
        if (rest % b == 0 && splits(set_.factors.size(), {a, b, rest / b})) ++count;
    }
    return count;
  }

  // True if the factors [0, end) can be distributed so that the parts have these products.
  bool splits(std::size_t end, const std::array<Int, 3>& parts) const {
    if (end == 0) return parts[0] == 1 && parts[1] == 1 && parts[2] == 1;
    const auto& factor = set_.factors[end - 1];
    return deal(end, factor.value, factor.count, 0, parts);
  }
  bool deal(std::size_t end, Int value, int count, std::size_t part, std::array<Int, 3> parts) const {
    if (part == parts.size()) return count == 0 && splits(end - 1, parts);
    for (int taken = 0;; ++taken) {
      if (deal(end, value, count - taken, part + 1, parts)) return true;
      if (taken == count || parts[part] % value != 0) return false;
      parts[part] /= value;
    }
  }

  const FactorSet& set_;
  Int bound_;
};

void remove_one(FactorSet& set, std::size_t at) {
  if (--set.factors[at].count == 0) set.factors.erase_at(at);
}

// Returns the set with factors i and j merged. If i equals j, two copies of the same factor are merged.
FactorSet merged(const FactorSet& set, std::size_t i, std::size_t j) {
  const Int product = set.factors[i].value * set.factors[j].value;
  FactorSet result = set;
  remove_one(result, j);  // j >= i, so the position of i is still valid
  remove_one(result, i);
  result.add(product);
  return result;
}

}  // namespace

FactorSet flexible_factors(Int bound, const FlexibleFactors& options) {
  FactorSet set = prime_factors(bound);
  if (set.size() <= options.least_factors) return set;
  const double full = PartitionCount(set).score(options);
  while (set.size() > options.least_factors) {
    const double base = PartitionCount(set).score(options);
    double least_loss = 0;
    std::optional<FactorSet> best;
    for (std::size_t i = 0; i < set.factors.size(); ++i)
      for (std::size_t j = i; j < set.factors.size(); ++j) {
        if (i == j && set.factors[i].count < 2) continue;
        const FactorSet candidate = merged(set, i, j);
        const double loss = (base - PartitionCount(candidate).score(options)) / full;
        if (best && loss >= least_loss) continue;
        best = candidate;
        least_loss = loss;
      }
    if (!best || least_loss > options.most_loss) break;
    set = *best;
  }
  return set;
}

}  // namespace nestor

// Multiple-choice knapsack: one option per operator within the cores of the chip, at minimum total cost. The
// problem is solved exactly by dynamic programming over cores. Costs are integers, represented as doubles
// (below 2^53), so sums are exact. A second pass from the other end finds, for each option, the least total
// of the solutions that contain it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/checked.h"

namespace nestor::chip {

struct KnapsackItem {
  std::uint32_t option;  ///< number that the caller assigns
  Int cores;
  double cost;
};

class Knapsack {
 public:
  /// Removes all groups. Callers then add groups one by one, each with at least one item.
  void clear(Int cores);
  void begin_group() { begin_.push_back(items_.size()); }
  void add(const KnapsackItem& item) { items_.push_back(item); }

  /// Finds the items with the least total. Returns false if even the items with the fewest cores do not fit.
  bool solve();
  double value() const { return value_; }
  /// Returns the chosen item of each group, as positions for item().
  std::span<const std::size_t> answer() const { return answer_; }
  const KnapsackItem& item(std::size_t position) const { return items_[position]; }
  std::size_t groups() const { return begin_.size(); }
  std::size_t group_begin(std::size_t group) const { return begin_[group]; }
  std::size_t group_end(std::size_t group) const {
    return group + 1 < begin_.size() ? begin_[group + 1] : items_.size();
  }

  /// Returns, for each item by position, the least total of the solutions that contain it, or infinity if the
  /// item does not fit. Requires a previous solve().
  std::span<const double> with_each();

 private:
  std::vector<KnapsackItem> items_;
  std::vector<std::size_t> begin_;
  std::vector<Int> least_;  ///< fewest cores of each group
  /// Row k contains the least cost of the first k groups with at most 0 .. width_ - 1 cores more than the
  /// minimum.
  std::vector<double> forward_;
  std::vector<double> backward_;
  std::vector<double> next_;
  std::vector<double> with_;
  std::vector<std::size_t> answer_;
  Int cores_ = 0;
  std::size_t width_ = 0;
  double value_ = 0;
};

}  // namespace nestor::chip

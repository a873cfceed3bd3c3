// One option per operator within the cores of the chip, least total cost: a multiple-choice knapsack, solved
// exactly by dynamic programming over cores. Costs are whole numbers held in doubles (below 2^53), so sums
// are exact. After a second pass from the other end it also tells, for every option, the least total with
// that option.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/checked.h"

namespace nestor::chip {

struct KnapsackItem {
  std::uint32_t option;  ///< the caller's number
  Int cores;
  double cost;
};

class Knapsack {
 public:
  /// Groups are added one by one; each must have at least one item.
  void clear(Int cores);
  void begin_group() { begin_.push_back(items_.size()); }
  void add(const KnapsackItem& item) { items_.push_back(item); }

  /// False if not even the items with the fewest cores fit.
  bool solve();
  double value() const { return value_; }
  /// The chosen item of each group, as positions for item().
  std::span<const std::size_t> answer() const { return answer_; }
  const KnapsackItem& item(std::size_t position) const { return items_[position]; }
  std::size_t groups() const { return begin_.size(); }
  std::size_t group_begin(std::size_t group) const { return begin_[group]; }
  std::size_t group_end(std::size_t group) const {
    return group + 1 < begin_.size() ? begin_[group + 1] : items_.size();
  }

  /// Least total with each item chosen, by position; infinity if it does not fit. After solve().
  std::span<const double> with_each();

 private:
  std::vector<KnapsackItem> items_;
  std::vector<std::size_t> begin_;
  std::vector<Int> least_;       ///< fewest cores of each group
  std::vector<double> forward_;  ///< row k: the first k groups, within 0 .. spare_ cores above the least
  std::vector<double> backward_;
  std::vector<double> next_;
  std::vector<double> with_;
  std::vector<std::size_t> answer_;
  Int cores_ = 0;
  std::size_t width_ = 0;
  double value_ = 0;
};

}  // namespace nestor::chip

// Minimum cuts that reduce the live values of an order. The values alive between two positions form a cut of
// the netlist. Consider all ways to split a stretch of the order into a first and a second part, with its
// ends fixed. Maximum flow finds a split that the fewest values cross. Sorting the stretch by that split
// makes no prefix of the order worse: cuts are submodular, so the intersection and the union of a prefix with
// the minimum cut cost no more than the prefix. Repeating this over long and short stretches therefore never
// makes the order worse. Unlike moves of single gates, a cut rearranges thousands of gates at once.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/random.h"
#include "model/simd/min_cut.h"
#include "model/simd/problem.h"

namespace nestor::simd {

class OrderCuts {
 public:
  /// If `inputs_travel`, an input occupies a row from its first to its last use (the working array is not its
  /// home). A cut that `interrupted` stops changes nothing.
  OrderCuts(const ScheduleProblem& problem, std::vector<std::uint32_t> order, bool inputs_travel,
            Stop interrupted = {});

  const std::vector<std::uint32_t>& order() const { return order_; }
  /// Returns the number of values alive after each position.
  std::vector<std::uint32_t> profile() const;

  /// Splits the stretch [first, last) at the latest or the earliest minimum cut. Returns true if the order
  /// changed.
  bool cut(std::uint32_t first, std::uint32_t last, bool late);

  struct Lengths {
    std::uint32_t shortest = 8;
    std::uint32_t longest = ~0U;
  };
  /// Cuts a stretch and then, recursively, its halves, down to the shortest length.
  void bisect(std::uint32_t begin, std::uint32_t end, Lengths lengths, Random& random,
              const std::function<bool()>& stop);

  std::uint64_t work() const { return flow_.work() + work_; }

 private:
  void add_value(Value value, std::uint32_t first, std::uint32_t last);
  std::uint32_t node_of(std::uint32_t gate, std::uint32_t first) const { return 2 + position_[gate] - first; }

  const ScheduleProblem* problem_;
  bool inputs_travel_;
  Stop interrupted_;
  std::vector<std::uint32_t> order_, position_;
  std::vector<std::uint32_t> stamp_;
  std::uint32_t stamp_now_ = 0;
  MinCut flow_;
  std::vector<std::uint32_t> before_, after_;
  std::uint64_t work_ = 0;
};

}  // namespace nestor::simd

// A run of operators that is pipelined, and when its rows are done: the graph of rows that wait for rows
// (docs/models/chip.md (5.7), (5.8)). Transfers between cores cost nothing here.
//
// Needs do not fall with the row and all rows of an operator take equally long, so no row is done before an
// earlier one. The schedule does not fall when a pace gets worse in any figure.
#pragma once

#include "check/chip/model.h"

namespace nestor::check::chip {

/// Per operator of the run the paces that are still possible.
using Choices = std::vector<std::vector<Pace>>;

/// Per operator, per row.
using Times = std::vector<std::vector<Int>>;

/// Runs are bounded below this only, so that no sum of times and shares overflows.
inline constexpr Int longest_time = Int{1} << 30;

/// An operator that reads another of the run: which of its rows each row needs.
struct Edge {
  std::size_t from = 0;
  std::size_t to = 0;
  bool is_gated = false;
  std::vector<std::size_t> need;  ///< gated: one, of the last row
};

class Segment {
 public:
  Segment(const CheckedChipProblem& problem, std::size_t first, std::size_t last);

  std::size_t size() const { return rows_.size(); }
  std::size_t rows(std::size_t op) const { return rows_[op]; }
  Int cores() const { return cores_; }
  const std::vector<Edge>& edges() const { return edges_; }
  /// Of all edges, those that lead to an operator.
  const std::vector<std::size_t>& into(std::size_t op) const { return into_[op]; }
  const std::vector<std::size_t>& out_of(std::size_t op) const { return out_of_[op]; }
  /// Is it gated by a tensor from outside the run?
  bool is_gated_outside(std::size_t op) const { return gated_outside_[op]; }

  /// When the rows are done if they wait for these arrivals, one for each edge into the operator.
  template <typename Arrival>
  std::vector<Int> ends(std::size_t op, const Pace& pace, const Arrival& arrival) const {
    std::vector<Int> ends(rows_[op], gated_outside_[op] ? pace.gate : 0);
    for (const std::size_t e : into_[op])
      for (std::size_t r = 0; r < ends.size(); ++r)
        ends[r] =
            std::max(ends[r], arrival(e, edges_[e].is_gated ? 0 : r) + (edges_[e].is_gated ? pace.gate : 0));
    const auto lanes = static_cast<std::size_t>(pace.lanes);
    for (std::size_t r = 0; r < ends.size(); ++r)
      ends[r] = std::max(ends[r] + pace.in, r >= lanes ? ends[r - lanes] : 0) + pace.row;
    return ends;
  }
  /// When the rows of all operators are done.
  Times heads(const std::vector<Pace>& paces) const;
  /// The least from the arrival of what a row waits for to the end of the schedule, its gate not counted.
  Times tails(const std::vector<Pace>& paces) const;

 private:
  std::vector<std::size_t> rows_;
  std::vector<Edge> edges_;
  std::vector<std::vector<std::size_t>> into_;
  std::vector<std::vector<std::size_t>> out_of_;
  std::vector<bool> gated_outside_;
  Int cores_;
};

/// Of each operator the best of every figure, whatever pace has it.
std::vector<Pace> best_of(const Choices& choices);

/// A way through the rows of a run: rows of an operator, and the edge by which it is entered.
struct Step {
  std::size_t op = 0;
  Int rows = 0;
  bool is_gated = false;
  std::size_t edge = 0;   ///< of no meaning for the first step
  std::size_t entry = 0;  ///< the row that is entered
  /// (8.1): what the operator adds to any schedule in which it has this pace.
  Int length(const Pace& pace) const;
};
using Path = std::vector<Step>;

/// A way with so many rows in each operator, from the first to the last: entered as late as its edges allow.
/// Throws Unreadable if there is none.
Path way_through(const Segment& segment, const Json& numbers);

/// Paths with shares, whole numbers: the mixed length of a schedule is no longer than it, times all shares.
struct Mix {
  std::vector<const Path*> paths;
  std::vector<Int> shares;
  Int whole = 0;

  /// Mixed length of the operators' paces, with what is longer than `limit` cut off.
  std::vector<std::vector<Int>> lengths(const Choices& choices, Int limit) const;
};

}  // namespace nestor::check::chip

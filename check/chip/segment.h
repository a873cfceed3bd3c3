// A pipelined run of operators, and the times when its rows are done. The waits of rows for other rows form a
// graph (docs/models/chip.md (5.7), (5.8)). Transfers between cores cost nothing here.
//
// The needed row never decreases from one row to the next, and all rows of an operator take the same time.
// Therefore no row is done before an earlier one, and the schedule does not get shorter when a figure of a
// pace gets worse.
#pragma once

#include "check/chip/timing.h"

namespace nestor::check::chip {

/// The paces that are still possible, for each operator of the run.
using Choices = std::vector<std::vector<OperatorTiming>>;

/// Times per operator and row.
using Times = std::vector<std::vector<Int>>;

/// Limit on the times of bounded runs, so that no sum of times and shares overflows.
inline constexpr Int longest_time = Int{1} << 30;

/// A read of operator `from` by operator `to`, both given as indices in the run.
struct Edge {
  std::size_t from = 0;
  std::size_t to = 0;
  bool is_gated = false;
  std::vector<std::size_t> need;  ///< row that each row of `to` needs; if gated, only the last row
};

class Segment {
 public:
  Segment(const CheckedChipProblem& problem, std::size_t first, std::size_t last);

  std::size_t size() const { return rows_.size(); }
  std::size_t rows(std::size_t op) const { return rows_[op]; }
  Int cores() const { return cores_; }
  const std::vector<Edge>& edges() const { return edges_; }
  /// Indices of the edges into an operator and out of it.
  const std::vector<std::size_t>& into(std::size_t op) const { return into_[op]; }
  const std::vector<std::size_t>& out_of(std::size_t op) const { return out_of_[op]; }
  /// True if the operator is gated by a tensor from outside the run.
  bool is_gated_outside(std::size_t op) const { return gated_outside_[op]; }

  /// Returns the times when the operator's rows are done. `arrival(e, r)` returns the arrival time of the row
  /// that row r needs over edge e.
  template <typename Arrival>
  std::vector<Int> ends(std::size_t op, const OperatorTiming& pace, const Arrival& arrival) const {
    std::vector<Int> ends(rows_[op], gated_outside_[op] ? pace.gate : 0);
    for (const std::size_t e : into_[op])
      for (std::size_t r = 0; r < ends.size(); ++r)
        ends[r] =
            std::max(ends[r], arrival(e, edges_[e].is_gated ? 0 : r) + (edges_[e].is_gated ? pace.gate : 0));
    run_rows(ends, pace);
    return ends;
  }
  /// Returns the times when the rows of all operators are done.
  Times heads(const std::vector<OperatorTiming>& paces) const;
  /// Returns, for each row, the minimum time from the arrival of its input to the end of the schedule,
  /// without gate time.
  Times tails(const std::vector<OperatorTiming>& paces) const;

 private:
  std::vector<std::size_t> rows_;
  std::vector<Edge> edges_;
  std::vector<std::vector<std::size_t>> into_;
  std::vector<std::vector<std::size_t>> out_of_;
  std::vector<bool> gated_outside_;
  Int cores_;
};

/// Returns, for each operator, the best value of every figure over all its paces.
std::vector<OperatorTiming> best_of(const Choices& choices);

/// A step of a path through the rows of a run: rows of an operator, and the edge by which it is entered.
struct Step {
  std::size_t op = 0;
  Int rows = 0;
  bool is_gated = false;
  std::size_t edge = 0;   ///< edge by which the path enters; unused in the first step
  std::size_t entry = 0;  ///< the row at which the path enters the operator
  /// Returns the time that the operator adds to the path if it has this pace, by (8.1).
  Int length(const OperatorTiming& pace) const;
};
using Path = std::vector<Step>;

/// Returns a path with the given number of rows in each operator. It ends at the last row of its last
/// operator. From each operator to the next, it takes the edge that needs the latest row. Throws Unreadable
/// if there is no such path.
Path way_through(const Segment& segment, const Json& numbers);

/// Paths with integer shares. The mixed length of a schedule is the sum of the lengths of the paths, each
/// multiplied by its share. It is at most the schedule's length times the sum of the shares.
struct Mix {
  std::vector<const Path*> paths;
  std::vector<Int> shares;
  Int whole = 0;

  /// Returns the part of the mixed length that each pace adds. The length of a pace on each path is capped at
  /// `limit`.
  std::vector<std::vector<Int>> lengths(const Choices& choices, Int limit) const;
};

}  // namespace nestor::check::chip

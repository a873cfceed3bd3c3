// Lower bound on copies from the number of values that are alive at one time, for any order. Consider the
// time just before a gate x runs, or just after it if nothing reads it. The gates on which x depends have
// run, and the gates that depend on x have not. Of the other gates, any set may have run, provided that all
// gates that have run form a legal prefix of an order. Values computed so far and read later are *alive*.
// Arrays that hold inputs have a known number F of rows for alive values. Every other alive value was copied,
// or was computed in an array that began empty, from values that were copied to it. A minimum cut gives a
// lower bound on the cost; docs/models/simd.md (4.3) explains why. In this cut, the price of a row is at most
// the price of a copy, and the cost of F rows is subtracted.
#pragma once

#include <cstdint>
#include <vector>

#include "model/simd/min_cut.h"
#include "model/simd/problem.h"
#include "model/simd/stop.h"

namespace nestor::simd {

/// Computes the bound, which is valid only if each gate is computed once.
class AliveBound {
 public:
  explicit AliveBound(const ScheduleProblem& problem, Stop stop = {});

  /// Returns a lower bound on the copies, including those of inputs in full arrays. `budget` limits work().
  std::uint32_t fewest(std::uint64_t budget);
  /// Lower bound on the maximum number of values that are alive at one time, in any order; and the number F
  /// of rows for alive values in arrays that hold inputs.
  std::uint32_t alive() const { return most_alive_; }
  std::uint64_t rows() const { return rows_; }
  std::uint32_t inputs_in_full_arrays() const { return stuck_; }

  /// Returns a lower bound on the number of values that are alive at the time of `gate`, in any order.
  std::uint32_t alive_at(std::uint32_t gate);
  /// Returns `copy_price` times a lower bound on the copies up to the time of `gate`, without the copies of
  /// inputs in full arrays. A row costs `row_price`, a copy `copy_price`.
  std::int64_t priced(std::uint32_t gate, std::int32_t row_price);
  static constexpr std::int32_t copy_price = 240;

  /// Number of nodes visited.
  std::uint64_t work() const { return flow_.work() + work_; }

 private:
  bool is_last(std::uint32_t gate) const;
  std::uint32_t alive_then(std::uint32_t gate, bool after);
  std::int64_t priced_then(std::uint32_t gate, bool after, std::int32_t row_price);
  void mark_history(std::uint32_t gate, bool after);
  void add_edge(std::uint32_t from, std::uint32_t to, std::int32_t price);
  void number_nodes();
  void add_value_of(std::uint32_t gate, std::int32_t row_price);
  void add_input(Value input);
  std::vector<std::uint32_t> crowded_gates();
  bool exhausted() const { return work() > budget_ || should_stop(stop_); }

  const ScheduleProblem* problem_;
  Stop stop_;
  MinCut flow_;
  std::uint64_t rows_ = 0;             ///< F of the bound
  std::uint32_t stuck_ = 0;            ///< number of inputs in full arrays that are read
  std::vector<std::uint8_t> history_;  ///< per gate: past, future or open
  /// Two nodes of the cut per gate. If the gate is computed elsewhere, both are on the source side. If it has
  /// run at home, only the second is; if it will run at home, neither is.
  std::vector<std::uint32_t> at_home_, later_;
  std::vector<std::uint32_t> queue_;
  std::uint32_t most_alive_ = 0;
  std::uint64_t budget_ = ~std::uint64_t{0}, work_ = 0;
};

}  // namespace nestor::simd

// Copies that values alive at a time cost, whatever the order. Just before a gate x runs (or just after it,
// if nothing reads it), what x depends on has run and what depends on x has not; of the other gates any may
// have run that leave a legal prefix of an order. Values made so far and read later are *alive*. Arrays that
// hold inputs have room for a known number F of them; what is alive beyond that was copied, or was computed
// in an array that began empty, from values that were copied there. The cheapest way is bounded by a minimum
// cut: it prices a copy, and a row of F at no more than a copy, and takes what F rows cost off again
// (docs/models/simd.md (4.3) has the argument).
#pragma once

#include <cstdint>
#include <vector>

#include "model/simd/min_cut.h"
#include "model/simd/problem.h"
#include "model/simd/stop.h"

namespace nestor::simd {

/// Where gates are computed once. Where they may be computed again it proves nothing.
class AliveBound {
 public:
  explicit AliveBound(const ScheduleProblem& problem, Stop stop = {});

  /// Copies at least, inputs of full arrays included, as far as `budget` (work, below) goes.
  std::uint32_t fewest(std::uint64_t budget);
  /// Values that are alive then in any order, and the rows for them where inputs are.
  std::uint32_t alive() const { return most_alive_; }
  std::uint64_t rows() const { return rows_; }
  std::uint32_t inputs_in_full_arrays() const { return stuck_; }

  /// Values alive at the time of `gate`, in any order at least.
  std::uint32_t alive_at(std::uint32_t gate);
  /// Copies at least by that gate's time, inputs of full arrays aside, with a row at `row_price` and a
  /// copy at `copy_price`; times `copy_price`.
  std::int64_t priced(std::uint32_t gate, std::int32_t row_price);
  static constexpr std::int32_t copy_price = 240;

  /// Nodes looked at.
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
  std::uint64_t rows_ = 0;             ///< F
  std::uint32_t stuck_ = 0;            ///< inputs in full arrays that are read
  std::vector<std::uint8_t> history_;  ///< per gate: whether it has run, if that is known
  /// Per gate, nodes of the cut. On the source side are both if it is computed elsewhere, the second alone if
  /// it has run at home, none if it will run there.
  std::vector<std::uint32_t> at_home_, later_;
  std::vector<std::uint32_t> queue_;
  std::uint32_t most_alive_ = 0;
  std::uint64_t budget_ = ~std::uint64_t{0}, work_ = 0;
};

}  // namespace nestor::simd

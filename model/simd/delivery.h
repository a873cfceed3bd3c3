// Search for the fewest copies with which a given number of outputs are stored in arrays that begin empty
// (docs/models/simd.md (4.2)). As in (4.2), S is the set of gates computed in these arrays, D the values
// delivered to them, and R the values that they return.
//
// The least number is found by trying sets D and R of increasing size. For given D and R, the largest S is
// best and unique: gates that lack a fanin, or that have a reader elsewhere without being returned, are
// removed until no such gate remains. S is a subset of the *closure* of D, the values that can be computed
// from D. The outputs in the closure are counted as D grows. This excludes nearly all sets before S is
// computed. If gates may be computed again, S is the closure.
#pragma once

#include <boost/dynamic_bitset.hpp>
#include <cstdint>
#include <vector>

#include "model/simd/problem.h"
#include "model/simd/stop.h"

namespace nestor::simd {

class DeliverySearch {
 public:
  DeliverySearch(const ScheduleProblem& problem, bool compute_once, Stop stop = {});

  /// Returns the fewest copies, or a lower bound on them if the search exceeds `budget` (number of reads of
  /// gates) or is stopped.
  std::uint32_t fewest(std::uint32_t outputs, std::uint64_t budget);

 private:
  bool reaches(Value first, std::uint32_t left);
  bool reaches_with_one(Value first);
  bool reaches_with(Value value, std::uint32_t left);
  void deliver(Value value);
  void withdraw(std::size_t mark);
  void close(Value value);
  void add_completion(Value value);
  void remove_completion(Value value);
  bool stays_apart(std::uint32_t left);
  std::uint32_t outputs_apart();
  bool exhausted() { return work_ > alarm_ && is_over(); }
  bool is_over();

  const ScheduleProblem* problem_;
  bool compute_once_;
  std::vector<std::uint8_t> missing_;  ///< per gate: number of fanins outside the closure
  std::vector<Value> missing_values_;  ///< per gate: exclusive or of these fanins; if there is one, its value
  std::vector<std::uint32_t> completions_;  ///< per value: number of gates that lack only this fanin
  boost::dynamic_bitset<> completing_;      ///< values with completions
  std::vector<std::uint8_t> closed_;        ///< per value: 1 if it is in the closure
  std::vector<Value> trail_;                ///< values of the closure, in the order in which it grew
  std::vector<Value> delivered_, returned_;
  std::vector<std::uint8_t> side_;  ///< per value: its location while S is determined
  std::uint32_t outputs_closed_ = 0, outputs_wanted_ = 0;
  std::uint64_t work_ = 0, budget_ = 0;
  std::uint64_t alarm_ = 0;  ///< work after which the budget and the stop are tested next
  Stop stop_;
};

}  // namespace nestor::simd

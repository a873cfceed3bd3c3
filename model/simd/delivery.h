// Fewest copies until a given number of outputs are in arrays that begin empty: docs/models/simd.md
// (4.2), whose S are the gates computed there, D the values delivered to them, R those that they return.
//
// The least number is found by trying D and R of growing size. Given them, the largest S is best, and is
// unique: drop gates that lack a fanin, or have a reader elsewhere without being returned, until none is left
// to drop. All of S lies in the *closure* of D, what can be computed from D at all; its outputs are counted
// as D grows, which rules out nearly all sets before S is looked at. Where gates may be computed again, S is
// the closure.
#pragma once

#include <cstdint>
#include <vector>

#include "model/simd/problem.h"
#include "model/simd/stop.h"

namespace nestor::simd {

class DeliverySearch {
 public:
  DeliverySearch(const ScheduleProblem& problem, bool compute_once, Stop stop = {});

  /// The fewest copies, if the search ends within `budget` (reads of gates looked at) and is not stopped,
  /// else a number proved not to be above them.
  std::uint32_t fewest(std::uint32_t outputs, std::uint64_t budget);

 private:
  bool reaches(std::size_t first, std::uint32_t left);
  void deliver(Value value);
  void withdraw(std::size_t mark);
  void close(Value value);
  bool completes_a_gate(Value value) const;
  bool stays_apart(std::uint32_t left);
  std::uint32_t outputs_apart();
  bool exhausted();

  const ScheduleProblem* problem_;
  bool compute_once_;
  std::vector<Value> candidates_;
  std::vector<std::uint8_t> missing_;  ///< per gate: fanins outside the closure
  std::vector<std::uint8_t> closed_;   ///< per value
  std::vector<Value> trail_;           ///< the closure in the order it grew
  std::vector<Value> delivered_, returned_;
  std::vector<std::uint8_t> side_;  ///< per value, while S is determined
  std::uint32_t outputs_closed_ = 0, outputs_wanted_ = 0;
  std::uint64_t work_ = 0, budget_ = 0, asked_ = 0;
  Stop stop_;
};

}  // namespace nestor::simd

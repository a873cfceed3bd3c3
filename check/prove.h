// Whether a claim holds for every mapping of a layer. All spatial choices are listed; below each, nests grow
// from the innermost loop outward, one prime or one transfer loop at a time. A nest goes no further if
//
// - it does not fit: what is in a memory never becomes less;
// - the claim closes its bounds (bounds.h): nothing below it is better than what is claimed;
// - another nest dominates it: of equal loops to come, and no worse in all that those loops can use.
//
// By induction on the loops still to come: every way on of a nest that was followed is followed, closed, or
// no better than one of another nest that was followed. So if no complete nest is found that the claim does
// not close, there is none.
#pragma once

#include <atomic>
#include <chrono>
#include <string>

#include "check/claim.h"

namespace nestor::check {

struct Report {
  bool finished = true;  ///< false: out of time or memory
  bool refuted = false;
  Int latency = 0;  ///< of a mapping that is better than the claim
  Wide energy = 0;
  std::uint64_t choices = 0;
  std::uint64_t closed_at_once = 0;  ///< choices whose steps alone are too many, or that fit nothing
  std::uint64_t followed = 0;        ///< nests
  std::uint64_t by_bound = 0;
  std::uint64_t by_room = 0;
  std::uint64_t dominated = 0;
};

struct Limits {
  std::chrono::steady_clock::time_point end = std::chrono::steady_clock::time_point::max();
  std::size_t threads = 1;
};

Report prove(const Layer& layer, const Machine& machine, const Claim& claim, const Limits& limits);

/// Latency and energy (without leakage) of a mapping, or why it is none.
struct Cost {
  Int latency = 0;
  Wide energy = 0;
  std::string fault;
};
Cost cost_of(const Layer& layer, const Machine& machine, const Objective& objective, const Mapping& mapping);

}  // namespace nestor::check

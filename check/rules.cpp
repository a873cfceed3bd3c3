#include "check/rules.h"

#include <algorithm>

namespace nestor::check {

Rules::Rules(const Layer& layer, const Machine& machine, const Claim& claim, const Lanes& lanes,
             BoundsCache& cache)
    : claim_(claim), machine_(machine), lanes_(lanes), nest_(layer, machine, claim, lanes) {
  if (!nest_.fits(nest_.root())) return;
  for (const Operand x : operands) bounds_[x] = cache.get(nest_, x, machine, claim);
  for (std::size_t d = 0; d < dim_count; ++d) {
    const auto& divisors = lanes.divisors[d];
    for (std::size_t i = 0; i < divisors.size(); ++i) {
      const auto up = one_prime_up(divisors, i);
      lengths_[primes][d].push_back(up);
      auto& with_four = lengths_[primes_and_four][d].emplace_back(up);
      auto& all = lengths_[all_lengths][d].emplace_back();
      for (std::size_t j = i + 1; j < divisors.size(); ++j) {
        if (divisors[j] == 4 * divisors[i]) with_four.push_back(j);
        if (divisors[j] % divisors[i] == 0) all.push_back(j);
      }
    }
  }
}

// A loop of N iterations is one of its prime factors q with the same transfers, and then, outside, one of N /
// q without: after the first, M is L q if no P exceeds it, so the next L is L q, and every number of the
// recursion comes out the same. So primes suffice, with two exceptions:
// - P of an input that leaves a double buffer may come out larger for q = 2. An odd q or q = 4 will do;
// - under miredo P of O may exceed L q, which makes the next L longer.
const std::vector<std::size_t>& Rules::lengths(const Node& node, std::size_t dim, const Steps& steps) const {
  Kind kind = primes;
  if (claim_.follows_latency() && (steps[I].doubled || steps[W].doubled)) kind = primes_and_four;
  if (claim_.follows_latency() && claim_.objective().miredo && steps[O].moves) {
    const Int t = steps[O].cycles;
    const Int p = node.p[O];
    const Int period = std::max({node.m, steps[I].contender, steps[W].contender, steps[O].contender});
    if (plus(t, steps[O].doubled ? std::max(t, p) : plus(t, p)) > period) kind = all_lengths;
  }
  return lengths_[kind][dim][node.placed[dim]];
}

Rules::Verdict Rules::judge(const Node& node) const {
  if (!nest_.fits(node)) return Verdict::by_room;
  for (const Operand x : operands)
    if (!bounds_[x]->rest(node).possible) return Verdict::by_room;
  const Least known = least(node);
  return claim_.closes(known.latency, known.energy) ? Verdict::by_bound : Verdict::open;
}

// The loops to come multiply M, which never falls: their steady part is at least M (rest - 1).
Rules::Least Rules::least(const Node& node) const {
  std::array<const OperandBounds::Rest*, 3> rests;
  Least known{.energy = node.energy};
  for (const Operand x : operands) {
    rests[x] = &bounds_[x]->rest(node);
    if (claim_.follows_energy()) known.energy = plus(known.energy, rests[x]->energy);
  }
  if (!claim_.follows_latency()) return known;
  const Int steady = times(node.m, node.rest - 1);
  const Int last = rests[O]->transfers;
  Int& least = known.latency;
  if (claim_.objective().miredo) {
    // P_O grows by L (N-1) and, at a transfer, T or more; that of an operand without transfers by L (N-1).
    least = plus(node.p[O], plus(steady, last));
    for (const Operand x : operands) {
      least = std::max(least, rests[x]->stream);
      if (!nest_.may_transfer(node, x)) least = std::max(least, plus(node.p[x], steady));
    }
    return known;
  }
  const Int first =
      std::max(plus(node.first[I], rests[I]->transfers), plus(node.first[W], rests[W]->transfers));
  least = plus(plus(steady, first), last);
  for (const Operand x : {I, W}) least = std::max(least, plus(plus(node.first[x], rests[x]->stream), last));
  least = std::max(least, plus(first, rests[O]->stream));
  least = plus(plus(node.steady, least), machine_.mvm_cycles);
  return known;
}

bool Rules::dominates(const Node& a, const Node& b) const {
  for (std::size_t m = 0; m < machine_.memories.size(); ++m)
    if (a.departed[m] > b.departed[m]) return false;
  if (claim_.follows_energy() && a.energy > b.energy) return false;
  if (!claim_.follows_latency()) return true;
  Int ahead = std::max(Int{0}, a.m - b.m);
  for (const Operand x : operands) ahead = std::max(ahead, a.p[x] - b.p[x]);
  if (claim_.objective().miredo) return ahead == 0;
  const Int first = std::max(a.first[I] - b.first[I], a.first[W] - b.first[W]);
  return plus(plus(a.steady, first), times(ahead, a.rest - 1)) <= b.steady;
}

Int Rules::key(const Node& node) const {
  Int key = node.entered_complete ? 1 : 0;
  for (std::size_t d = 0; d < dim_count; ++d)
    key = plus(times(key, static_cast<Int>(lanes_.divisors[d].size())), Int{node.placed[d]});
  for (const Operand x : operands) key = plus(times(key, Int{most_memories}), Int{node.at[x]});
  return key;
}

}  // namespace nestor::check

#include "check/cim/rules.h"

namespace nestor::check {

void CimOperandBounds::Rest::take_least(const Rest& other) {
  if (!other.possible) return;
  if (!possible) *this = other;
  transfers = std::min(transfers, other.transfers);
  stream = std::min(stream, other.stream);
  energy = std::min(energy, other.energy);
}

CimOperandBounds::CimOperandBounds(const CimNest& nest, Operand operand)
    : operand_(operand), chain_(nest.problem.machine.chains[operand].size()) {
  constexpr std::size_t most_rests = 100'000'000;
  const CimLanes& lanes = nest.lanes;
  const Objective& objective = nest.problem.claim.objective();
  std::size_t count = 1;
  Int busy = objective.miredo ? nest.problem.machine.mvm_cycles : 0;
  for (std::size_t d = 0; d < dim_count; ++d) {
    if (!is_relevant(d, operand)) continue;
    strides_[d] = count;
    busy = times(busy, nest.lanes.temporal[d]);
    count = times(count, lanes.divisors[d].size());
  }
  if (times(count, chain_) > most_rests) throw TooLarge();
  rests_.resize(count * chain_);

  for (std::size_t index = count; index-- > 0;) {
    Extents content = ones;
    Int remaining = 1;
    Int longest = 1;                  // longest possible loop of the next transfer
    std::vector<Rest> grown(chain_);  // per memory: least rest of contents with one more prime
    for (std::size_t d = 0; d < dim_count; ++d) {
      if (strides_[d] == 0) continue;
      const std::size_t i = index / strides_[d] % lanes.divisors[d].size();
      content[d] = lanes.divisors[d][i];
      remaining = times(remaining, lanes.temporal[d] / content[d]);
      longest = std::max(longest, lanes.temporal[d] / content[d]);
      for (const auto& way : lanes.ways[d][i])
        for (std::size_t c = 0; c < chain_ && way.is_prime; ++c)
          grown[c].take_least(rests_[(index + (way.to - i) * strides_[d]) * chain_ + c]);
    }
    const bool full = index + 1 == count;
    for (std::size_t c = 0; c < chain_; ++c) {
      if (c != 0 && nest.bits_of(operand, content, c, true) > nest.memory(operand, c).capacity) continue;
      const auto pay = [&](std::size_t to) {
        return nest.price(operand, content, c, to, full ? 1 : remaining, 0, true, false);
      };
      Rest best = grown[c];
      if (full && nest.problem.machine.may_pass(operand, c, 0)) {
        const Int t = c == 0 ? 0 : nest.cycles(operand, content, 0, true);
        best = {true, t, plus(t, busy), c == 0 ? 0 : pay(0)};
      }
      // An operand only leaves a block at a loop that is relevant to it.
      for (std::size_t to = 0; to < c && !full; ++to) {
        if (!grown[to].possible || !nest.problem.machine.may_pass(operand, c, to)) continue;
        const Int t = nest.cycles(operand, content, to, true);
        Rest rest = grown[to];
        rest.transfers = plus(rest.transfers, t);
        if (!objective.miredo)
          rest.stream = std::max(plus(times(t, remaining), grown[to].transfers), plus(t, grown[to].stream));
        else if (to == 0)
          rest.stream = times(t, operand == O ? plus(remaining, remaining / longest) : remaining);
        rest.energy = plus(rest.energy, pay(to));
        best.take_least(rest);
      }
      rests_[index * chain_ + c] = best;
    }
  }
}

std::shared_ptr<const CimOperandBounds> BoundsCache::get(const CimNest& nest, Operand operand) {
  std::string key;
  const auto add = [&](Int number) { key += std::to_string(number) + ' '; };
  add(static_cast<Int>(operand));
  for (std::size_t d = 0; d < dim_count; ++d)
    if (is_relevant(d, operand)) add(nest.lanes.temporal[d]);
  for (const std::size_t m : nest.problem.machine.chains[operand]) {
    const auto& around = nest.lanes.memories[m];
    for (std::size_t d = 0; d < dim_count; ++d)
      if (is_relevant(d, operand)) add(around.below[d]);
    if (nest.problem.claim.objective().per_energy != 0) add(around.above);
    if (operand == O) add(around.reduced_above ? 1 : 0);
  }
  decltype(made)::accessor entry;  // locks the entry
  made.insert(entry, key);
  if (!entry->second) entry->second = std::make_shared<const CimOperandBounds>(nest, operand);
  return entry->second;
}

Rules::Rules(const CheckedCimProblem& asked, const CimLanes& below, BoundsCache& cache)
    : CimNest(asked, below), objective_(asked.claim.objective()) {
  const Node root = CimNest::root();
  const Cost least{times(root.rest, root.m), objective_.counts_sizes ? -most_gain : root.energy};
  if (!fits(root) || problem.claim.closes(least)) return;
  for (const Operand x : operands) bounds_[x] = cache.get(*this, x);
}

Int Rules::least_transfers(const Layer& layer, const Machine& machine) {
  const Extents& b = layer.bounds;
  const std::array<Int, 3> elements = {times(b[G], b[N], b[C], std::max(b[P], b[R]), std::max(b[Q], b[S])),
                                       times(b[G], b[K], b[C], b[R], b[S]),
                                       times(b[G], b[N], b[K], b[P], b[Q])};
  Int most = 0;
  for (const Operand x : {I, W, O}) {
    const Memory& home = machine.memories[machine.chains[x][0]];
    Int bits = times(elements[x], x == O ? std::min(layer.bits[O], layer.partial_sum) : layer.bits[x]);
    for (const Axis& axis : machine.axes) bits = ceiling(bits, axis.place < home.place ? axis.size : 1);
    most = std::max(most, ceiling(bits, home.bandwidth));
  }
  return most;
}

// A loop of N iterations equals two loops: one of a prime factor q of N with the same transfers, and outside
// it one of N / q without transfers. After the first loop, M is L q if no P exceeds it. Then the next L is L
// q, and every number of the recursion is the same as for the single loop. Therefore primes suffice, with two
// exceptions:
// - P of I or W, if it leaves a double buffer, can be larger than after the single loop if q = 2. An odd q or
//   q = 4 is sufficient;
// - under miredo, P of O can exceed L q, which makes the next L longer.
bool Rules::is_worth_a_loop(const Node& node, const CimLanes::Way& way, const Steps& steps) const {
  if (way.factor == 4 && (steps[I].move.doubled || steps[W].move.doubled)) return true;
  if (!objective_.miredo || !objective_.follows_latency || !steps[O].move.moves) return false;
  const Int t = steps[O].cycles;
  const Int p = node.p[O];
  const Int period = std::max({node.m, steps[I].contender, steps[W].contender, steps[O].contender});
  return plus(t, steps[O].move.doubled ? std::max(t, p) : plus(t, p)) > period;
}

bool Rules::ends(const Node& node) const {
  if (!fits(node)) return true;
  for (const Operand x : operands)
    if (!bounds_[x]->rest(node).possible) return true;
  return problem.claim.closes(least(node));
}

// The remaining loops multiply M, which never decreases. Their steady part is at least M (rest - 1).
Cost Rules::least(const Node& node) const {
  if (node.rest == 1) return cost(node);
  std::array<const CimOperandBounds::Rest*, 3> rests;
  Cost known{.energy = node.energy};
  for (const Operand x : operands) {
    rests[x] = &bounds_[x]->rest(node);
    known.energy = plus(known.energy, rests[x]->energy);
  }
  if (objective_.counts_sizes) known.energy = std::max(known.energy, -most_gain);
  if (!objective_.follows_latency) return known;
  const Int steady = times(node.m, node.rest - 1);
  const Int last = rests[O]->transfers;
  Int& least = known.latency;
  if (objective_.miredo) {
    // P_O grows by L (N-1) and by at least T at a transfer; P of an operand without transfers grows by L
    // (N-1).
    least = plus(node.p[O], steady, last);
    for (const Operand x : operands) {
      least = std::max(least, rests[x]->stream);
      if (!may_transfer(node, x)) least = std::max(least, plus(node.p[x], steady));
    }
    return known;
  }
  const Int in = std::max(plus(node.first[I], rests[I]->transfers), plus(node.first[W], rests[W]->transfers));
  least = std::max(plus(steady, in, last), plus(in, rests[O]->stream));
  for (const Operand x : {I, W}) least = std::max(least, plus(node.first[x], rests[x]->stream, last));
  least = plus(node.steady, least, problem.machine.mvm_cycles);
  return known;
}

bool Rules::dominates(const Node& a, const Node& b) const {
  for (std::size_t m = 0; m < most_memories; ++m)
    if (a.departed[m] > b.departed[m]) return false;
  Int ahead = std::max(Int{0}, a.m - b.m);
  for (const Operand x : operands) ahead = std::max(ahead, a.p[x] - b.p[x]);
  const Int first = std::max(a.first[I] - b.first[I], a.first[W] - b.first[W]);
  const Int later =
      objective_.miredo ? times(ahead, a.rest) : plus(a.steady - b.steady, first, times(ahead, a.rest - 1));
  const Cost more{later, a.energy - b.energy};
  if (more.latency <= 0 && more.energy <= 0) return true;
  return !objective_.is_front && !objective_.is_product && problem.claim.cost(more) <= 0;
}

Int Rules::key(Node node) const {
  auto mirrored = node.placed;
  std::swap(mirrored[P], mirrored[Q]);
  std::swap(mirrored[R], mirrored[S]);
  if (lanes.mirrors) node.placed = std::min(node.placed, mirrored);
  Int key = node.entered_complete ? 1 : 0;
  for (std::size_t d = 0; d < dim_count; ++d)
    key = plus(times(key, static_cast<Int>(lanes.divisors[d].size())), node.placed[d]);
  for (const Operand x : operands) key = plus(times(key, Int{most_memories}), node.at[x]);
  return key;
}

}  // namespace nestor::check

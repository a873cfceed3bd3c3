#include "check/pim/joint.h"

namespace nestor::check::pim {
namespace {

constexpr std::size_t most_rests = std::size_t{1} << 26U;

std::size_t rests_in(const CheckedPimNest& nest) {
  std::size_t count = times(nest.lanes.numbers.count(), nest.problem.machine.memories.size());
  for (const Operand x : operands) count = times(count, nest.innermost(x) + 1);
  return count;
}

}  // namespace

// The states with the same remaining factors.
struct PimJointBounds::Step {
  template <typename Value>
  using PerPosition = std::array<Value, most_memories>;

  std::size_t row = 0;  // index of the factors
  Extents left{};
  std::array<Floors, 3> floors{};
  std::vector<std::uint8_t> alive;         // per code: true if it fits and some bound is below the limit
  std::array<PerPosition<Int>, 3> bits{};  // bits of an operand's remaining content
  std::array<PerPosition<PerPosition<Rest>>, 3> jump{};  // energy of a transfer, from and to a position
};

bool PimJointBounds::supports(const CheckedPimNest& nest) {
  constexpr std::size_t longest_chain = 8;
  for (const Operand x : operands)
    if (nest.innermost(x) >= longest_chain) return false;
  const auto& [layer, machine, claim] = nest.problem;
  return machine.is_even && claim.objective().per_energy != 0 && rests_in(nest) <= most_rests;
}

PimJointBounds::PimJointBounds(const CheckedPimNest& nest, const FloorsOf& floors, Int limit)
    : nest_(nest), limit_(limit), memories_(nest.problem.machine.memories.size()) {
  const std::size_t count = nest.lanes.numbers.count();
  for (const Operand x : operands) lengths_[x] = nest.innermost(x) + 1;
  list_targets();
  rows_.assign(count, none);
  rests_.reserve(rests_in(nest));
  std::fill_n(&rests_of(0)[code(codes_.back()) * memories_], memories_, Rest{});  // nothing remains
  start_ = {limit_, limit_};
  Step step;
  for (; step.row < count; ++step.row) {
    if (rows_[step.row] == none) continue;
    step.left = nest.lanes.numbers.left(step.row);
    for (const Operand x : operands) step.floors[x] = floors(x, step.left);
    if (!complete(step)) continue;
    price(step);
    for (const Operand still : operands) pass_on(step, still);
    if (step.row + 1 < count) continue;
    for (const Target& target : targets_[operands.size()][0])
      add_least(step, target, codes_[0], &start_, 0, 0);
  }
}

// Lists the possible moves after a loop that is relevant to all operands except one, or before any loop.
void PimJointBounds::list_targets() {
  const auto& machine = nest_.problem.machine;
  const auto position = [](std::size_t at) { return static_cast<std::uint8_t>(at); };
  for (std::size_t i = 0; i < lengths_[I]; ++i)
    for (std::size_t w = 0; w < lengths_[W]; ++w)
      for (std::size_t o = 0; o < lengths_[O]; ++o) codes_.push_back({position(i), position(w), position(o)});
  for (std::size_t still = 0; still < targets_.size(); ++still)
    for (const Positions& from : codes_) {
      auto& targets = targets_[still].emplace_back();
      for (const Positions& to : codes_) {
        Target target{code(to), memories_};
        bool is_possible = true;
        for (const Operand x : operands) {
          if (to[x] == from[x]) continue;
          is_possible = is_possible && x != still && to[x] > from[x] && machine.may_pass(x, from[x], to[x]);
          target.entered = std::min(target.entered, nest_.memory_at(x, to[x]));
        }
        if (is_possible) targets.push_back(target);
      }
    }
}

// True if the remaining contents fit.
bool PimJointBounds::fits(const Step& step, const Positions& at) const {
  for (const Operand x : operands) {
    if (at[x] == 0) continue;
    Int taken = 0;
    for (const Operand y : operands)
      if (at[y] != 0 && nest_.memory_at(y, at[y]) == nest_.memory_at(x, at[x]))
        taken = plus(taken, step.bits[y][at[y]]);
    if (taken > nest_.memory(x, at[x]).capacity) return false;
  }
  return true;
}

// Completes the bounds of these factors. Returns false if none is below the limit.
bool PimJointBounds::complete(Step& step) {
  std::array<Int, 3> swept{};
  const bool sums = nest_.outside(step.left, O).repeats > 1;
  for (const Operand x : operands) {
    const auto [seen, repeats] = nest_.outside(step.left, x);
    swept[x] = limited(nest_.opening(x, times(seen, repeats, step.floors[x].sweep)));
    for (std::size_t c = 1; c < lengths_[x]; ++c) step.bits[x][c] = nest_.bits_of(x, step.left, c, sums);
  }
  bool any = false;
  step.alive.assign(codes_.size(), false);
  Rest* rest = rests_of(step.row);
  for (std::size_t c = 0; c < codes_.size(); ++c, rest += memories_) {
    Int remains = 0;
    for (const Operand x : operands) remains += codes_[c][x] == 0 ? swept[x] : 0;
    for (std::size_t sealed = 0; sealed < memories_; ++sealed) {
      rest[sealed].all = std::max(rest[sealed].all, rest[sealed].moving + remains);
      if (rest[sealed].all >= limit_) rest[sealed] = {limit_, limit_};
      step.alive[c] = step.alive[c] || rest[sealed].all < limit_;
    }
    if (!step.alive[c]) continue;
    step.alive[c] = fits(step, codes_[c]);
    if (!step.alive[c]) std::fill_n(rest, memories_, Rest{limit_, limit_});
    any = any || step.alive[c];
  }
  return any;
}

// Computes the energy of every transfer of these factors.
void PimJointBounds::price(Step& step) const {
  for (const Operand x : operands) {
    const auto outside = nest_.outside(step.left, x);
    const Int visits = times(outside.seen, outside.repeats);
    const Int passes = x == O ? plus(visits, visits - outside.seen) : visits;
    const auto [pass, sweep] = step.floors[x];
    const Wide rows = nest_.opening(x, std::max(times(passes, pass), times(visits, sweep)));
    for (std::size_t from = 0; from < lengths_[x]; ++from)
      for (std::size_t to = from + 1; to < lengths_[x]; ++to) {
        const Wide moving = nest_.transfer(x, step.left, from, to, outside).energy;
        step.jump[x][from][to] = {limited(moving), limited(from == 0 ? plus(moving, rows) : moving)};
      }
  }
}

// Returns the bounds of a row, by code and sealed memory, and creates them at the limit if there are none.
PimJointBounds::Rest* PimJointBounds::rests_of(std::size_t row) {
  if (rows_[row] == none) {
    rows_[row] = rests_.size();
    rests_.resize(rests_.size() + codes_.size() * memories_, {limit_, limit_});
  }
  return &rests_[rows_[row]];
}

void PimJointBounds::take_least(Rest& best, const Rest& other) const {
  if (other.all >= limit_) return;
  best.moving = std::min(best.moving, other.moving);
  best.all = std::min(best.all, other.all);
}

// Lowers the bounds of a loop that seals the memories up to `sealed`, for `sealed` from `first` to `last`,
// whose operands then move to a target.
void PimJointBounds::add_least(const Step& step, const Target& target, const Positions& from, Rest* best,
                               std::size_t first, std::size_t last) const {
  if (!step.alive[target.code]) return;
  Rest jumps;
  for (const Operand x : operands) {
    const Rest& jump = step.jump[x][from[x]][codes_[target.code][x]];  // zero if the operand stays
    jumps = {jumps.moving + jump.moving, jumps.all + jump.all};
  }
  const Rest* const rests = &rests_[rows_[step.row] + target.code * memories_];
  for (std::size_t sealed = first; sealed <= last && (sealed == 0 || sealed < target.entered); ++sealed)
    take_least(best[sealed], {rests[sealed].moving + jumps.moving, rests[sealed].all + jumps.all});
}

// Passes the bounds on to the states before a loop that is irrelevant to one operand.
void PimJointBounds::pass_on(const Step& step, std::size_t still) {
  std::vector<std::size_t> outer;
  for (std::size_t d = 0; d < dim_count; ++d) {
    if (is_relevant(d, operands[still])) continue;
    for (const Int prime : primes_of(nest_.lanes.temporal[d] / step.left[d])) {
      Extents larger = step.left;
      larger[d] = times(larger[d], prime);
      outer.push_back(nest_.lanes.numbers.of(larger));
    }
  }
  if (outer.empty()) return;
  for (std::size_t c = 0; c < codes_.size(); ++c) {
    const Positions& at = codes_[c];
    std::size_t first = 0;
    std::size_t last = 0;
    for (const Operand x : operands) {
      if (at[x] == 0) continue;
      last = std::max(last, nest_.memory_at(x, at[x]));
      if (x != still) first = std::max(first, nest_.memory_at(x, at[x]));
    }
    std::array<Rest, most_memories> best;
    std::fill_n(best.begin(), memories_, Rest{limit_, limit_});
    for (const Target& target : targets_[still][c]) add_least(step, target, at, best.data(), first, last);
    const auto is_below = [&](const Rest& rest) { return rest.all < limit_; };
    if (std::none_of(best.begin(), best.begin() + static_cast<std::ptrdiff_t>(memories_), is_below) ||
        !fits(step, at))  // no move frees bits
      continue;
    for (const std::size_t row : outer) {
      Rest* const rests = rests_of(row) + c * memories_;
      for (std::size_t sealed = 0; sealed <= last; ++sealed)
        take_least(rests[sealed], best[std::max(sealed, first)]);
    }
  }
}

PimJointBounds::Rest PimJointBounds::rest(const PimNode& node) const {
  if (!node.started) return start_;
  const std::size_t row = rows_[nest_.lanes.numbers.of(node.left)];
  return row == none ? Rest{limit_, limit_} : rests_[row + code(node.at) * memories_ + node.sealed];
}

}  // namespace nestor::check::pim

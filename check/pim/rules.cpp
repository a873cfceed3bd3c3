#include "check/pim/rules.h"

namespace nestor::check::pim {
namespace {

constexpr std::size_t most_shared = 4'000'000;  // bounds that choices share, about 400 MB

}  // namespace

void PimOperandBounds::Rest::take_least(const Rest& other) {
  if (!other.possible) return;
  if (!possible) *this = other;
  energy = std::min(energy, other.energy);
  energy_rows = std::min(energy_rows, other.energy_rows);
  busiest = std::min(busiest, other.busiest);
  leaving = std::min(leaving, other.leaving);
  leaving_rows = std::min(leaving_rows, other.leaving_rows);
}

PimOperandBounds::PimOperandBounds(const CheckedPimNest& nest, Operand operand, Int repeats)
    : operand_(operand), chain_(nest.innermost(operand) + 1), numbers_(nest.lanes.numbers) {
  constexpr std::size_t most_rests = 100'000'000;
  for (std::size_t d = 0; d < dim_count; ++d)
    if (!is_relevant(d, operand)) numbers_.divisors[d] = {1};
  const std::size_t count = numbers_.count();
  if (times(count, chain_) > most_rests) throw TooLarge();
  rests_.resize(count * chain_);
  floors_.resize(count);
  auto moved = rests_;  // state after a loop was placed, when the operand can move before the next loop
  const bool counts_rows = nest.counts_rows(operand);
  const Port& home = nest.port(operand, 0);

  for (std::size_t i = 0; i < count; ++i) {
    const Extents left = numbers_.left(i);
    Rest* const staying = &rests_[i * chain_];
    if (i == 0) staying[chain_ - 1].possible = true;
    for (std::size_t d = 0; d < dim_count; ++d)
      for (const Int prime : primes_of(left[d])) {
        Extents smaller = left;
        smaller[d] /= prime;
        for (std::size_t c = 0; c < chain_; ++c) staying[c].take_least(moved[index(smaller) * chain_ + c]);
      }
    Outside outside = nest.outside(left, operand);
    outside.repeats = repeats;
    const Int visits = times(outside.seen, repeats);
    if (counts_rows) {
      for (const bool sums : {false, true}) {  // it is unknown which of the two opens fewer rows
        if (sums && operand != O) break;
        const Walk tile = nest.still(operand, left, sums);
        const Extents held = nest.extents(left, nest.memory_at(operand, 0));
        const auto [pass, sweep] =
            std::pair(floor_of_pass(tile, nest.problem.machine),
                      floor_of_sweep(tile, nest.problem.layer, nest.problem.machine, held));
        floors_[i] = sums ? Floors{std::min(pass, floors_[i].pass), std::min(sweep, floors_[i].sweep)}
                          : Floors{pass, sweep};
      }
      const Int swept = times(visits, floors_[i].sweep);
      Rest& stays = staying[0];
      stays.energy_rows = std::max(stays.energy_rows, plus(stays.energy, nest.opening(operand, swept)));
      stays.leaving_rows =
          std::max(stays.leaving_rows, plus(stays.leaving, times(swept, home.activation_cycles)));
      stays.busiest = std::max(stays.busiest, stays.leaving_rows);
    }
    for (std::size_t c = 0; c < chain_; ++c) {
      Rest& best = moved[i * chain_ + c] = staying[c];
      for (std::size_t to = c + 1; to < chain_; ++to) {
        const Int room = nest.bits_of(operand, left, to, repeats > 1);
        if (!nest.problem.machine.may_pass(operand, c, to)) continue;
        if (!staying[to].possible || room > nest.memory(operand, to).capacity) continue;
        const auto [in, out, cycles, energy, given] = nest.transfer(operand, left, c, to, outside);
        const Int passes = operand == O ? plus(visits, visits - outside.seen) : visits;
        const Int opened = c == 0 && counts_rows ? times(passes, floors_[i].pass) : 0;
        Rest rest = staying[to];
        rest.energy = plus(rest.energy, energy);
        rest.energy_rows = plus(rest.energy_rows, energy, nest.opening(operand, opened));
        rest.leaving = cycles;
        rest.leaving_rows = plus(cycles, times(opened, home.activation_cycles));
        rest.busiest = std::max(rest.busiest, rest.leaving_rows);
        best.take_least(rest);
      }
    }
  }
  start_ = moved[(count - 1) * chain_];
}

PimRules::PimRules(const CheckedPimProblem& asked, const PimLanes& below, Shared& shared)
    : CheckedPimNest(asked, below), shared_(shared) {}

const PimOperandBounds& PimRules::bounds(Operand x, Int repeats) const {
  auto& own = bounds_[x][repeats];
  if (own) return *own;
  std::string key;
  const auto add = [&](Int number) { key += std::to_string(number) + ' '; };
  add(static_cast<Int>(x));
  add(repeats);
  for (std::size_t d = 0; d < dim_count; ++d)
    if (is_relevant(d, x)) add(lanes.temporal[d]);
  for (const std::size_t m : problem.machine.chains[x]) {
    const auto& around = lanes.memories[m];
    for (std::size_t d = 0; d < dim_count; ++d)
      if (is_relevant(d, x)) add(around.below[d]);
    add(around.above);
    if (x == O) add(around.reduced_above ? 1 : 0);
  }
  {
    const std::lock_guard lock(shared_.access);
    if (const auto found = shared_.bounds.find(key); found != shared_.bounds.end()) own = found->second;
  }
  if (own) return *own;
  own = std::make_shared<const PimOperandBounds>(*this, x, repeats);
  const std::lock_guard lock(shared_.access);
  if (shared_.size > most_shared) shared_.bounds.clear();
  shared_.size = shared_.bounds.empty() ? own->size() : shared_.size + own->size();
  shared_.bounds[key] = own;
  return *own;
}

std::optional<PimNode> PimRules::next(const PimNode& node, const LoggedNest& named, bool counted) const {
  auto now = placed(node, named);
  if (!now) return now;
  for (const Operand x : operands) {
    if (!leaves_dram(*now, x)) continue;
    const auto [seen, repeats] = outside(now->left, x);
    const Int swept = times(seen, repeats, bounds(x, repeats).floors(now->left).sweep);
    now->opened[x] = std::max(now->opened[x], swept);
  }
  return moved(now, named, [&](Operand x, const PimNode& before, Int enough) {
    if (counted) return shared_.fewest(walk(before, x), problem.machine, enough);
    const auto [seen, repeats] = outside(before.left, x);
    const Int visits = times(seen, repeats);
    const Int passes = x == O ? plus(visits, visits - seen) : visits;
    return std::max({times(passes, bounds(x, repeats).floors(before.left).pass), before.opened[x],
                     rows_at_least(before, x)});
  });
}

bool PimRules::ends(const PimNode& node) const {
  if (!fits(node)) return true;
  for (const Operand x : operands)
    if (node.rest != 1 && !bounds(x, outside(node.left, x).repeats).rest(node).possible) return true;
  if (problem.claim.closes(least(node))) return true;
  return joint_ && node.rest != 1 && joint_->closes(node);
}

// Finds the energy by bisection. No completion has less latency than the root.
Int PimRules::enough() const {
  const Cost known = cost(root());
  const auto closes = [&](Int more) {
    return problem.claim.closes({known.latency, plus<Wide>(known.energy, more)});
  };
  Int low = 0;
  Int high = 1;
  for (; !closes(high); high *= 2) {
    if (high == PimJointBounds::most) return high;
    low = high;
  }
  while (high - low > 1) {
    const Int middle = low + (high - low) / 2;
    (closes(middle) ? high : low) = middle;
  }
  return high;
}

bool PimRules::add_bounds() {
  const auto floors = [&](Operand x, const Extents& left) -> const auto& {
    return bounds(x, 1).floors(left);
  };
  if (PimJointBounds::supports(*this) && is_possible())
    joint_ = std::make_unique<const PimJointBounds>(*this, floors, enough());
  return joint_ != nullptr;
}

Cost PimRules::least(const PimNode& node) const {
  Cost known = least_alone(node);
  if (!joint_ || node.rest == 1) return known;
  const auto [moving, all] = joint_->rest(node);
  Wide opens = 0;
  for (const Operand x : operands) opens = plus(opens, opening(x, opened(node, x)));
  known.energy = std::max({known.energy, plus<Wide>(node.energy, all), plus(node.energy, moving, opens)});
  return known;
}

// At a shared port, the remaining cycles are added up.
Cost PimRules::least_alone(const PimNode& node) const {
  Cost known = cost(node);
  if (node.rest == 1) return known;
  auto busy = node.busy;
  for (const Operand x : operands) {
    const auto& rest = bounds(x, outside(node.left, x).repeats).rest(node);
    const Port& here = port(x, node.at[x]);
    const std::size_t m = memory_at(x, node.at[x]);
    const Int rows = opened(node, x);
    if (problem.claim.objective().per_energy != 0)
      known.energy = plus(known.energy, std::max(plus(rest.energy, opening(x, rows)), rest.energy_rows));
    if (!problem.claim.objective().follows_latency || node.at[x] == innermost(x)) continue;
    Int leaving = std::max(plus(rest.leaving, times(rows, here.activation_cycles)), rest.leaving_rows);
    if (here.is_shared) leaving = busy[m] = plus(busy[m], leaving);
    known.latency = std::max({known.latency, rest.busiest, plus(leaving, here.access_latency)});
  }
  return known;
}

bool PimRules::dominates(const PimNode& a, const PimNode& b) const {
  for (std::size_t m = 0; m < most_memories; ++m)
    if (a.bits[m] > b.bits[m] || a.busy[m] > b.busy[m]) return false;
  return a.latency <= b.latency && a.energy <= b.energy && a.pending <= b.pending && a.sealed <= b.sealed;
}

std::string PimRules::key(const PimNode& node) const {
  std::string key;
  const auto add = [&](Int number) { key.append(reinterpret_cast<const char*>(&number), sizeof number); };
  for (const Int left : node.left) add(left);
  for (const Operand x : operands) add(node.at[x]);
  add(node.started ? 1 : 0);
  for (const Operand x : operands) {
    if (!leaves_dram(node, x)) continue;
    each_seen(node.outside, x, [&](std::size_t dim, Int count) {
      add(static_cast<Int>(dim));
      add(count);
    });
    add(-1);
  }
  return key;
}

}  // namespace nestor::check::pim

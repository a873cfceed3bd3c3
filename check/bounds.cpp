#include "check/bounds.h"

#include <algorithm>

namespace nestor::check {

std::vector<std::size_t> one_prime_up(const std::vector<Int>& divisors, std::size_t i) {
  std::vector<std::size_t> up;
  for (std::size_t j = i + 1; j < divisors.size(); ++j) {
    if (divisors[j] % divisors[i] != 0) continue;
    const Int factor = divisors[j] / divisors[i];
    const bool prime = std::none_of(up.begin(), up.end(),
                                    [&](std::size_t k) { return factor % (divisors[k] / divisors[i]) == 0; });
    if (prime) up.push_back(j);
  }
  return up;
}

void OperandBounds::Rest::take_least(const Rest& other) {
  if (!other.possible) return;
  if (!possible) {
    *this = other;
    return;
  }
  transfers = std::min(transfers, other.transfers);
  stream = std::min(stream, other.stream);
  energy = std::min(energy, other.energy);
}

OperandBounds::OperandBounds(const Nest& nest, Operand operand, const Claim& claim) : operand_(operand) {
  const Lanes& lanes = nest.lanes();
  std::size_t count = 1;
  std::array<std::vector<std::vector<std::size_t>>, dim_count> up;
  for (std::size_t d = 0; d < dim_count; ++d) {
    if (!is_relevant(d, operand)) continue;
    strides_[d] = count;
    count *= lanes.divisors[d].size();
    for (std::size_t i = 0; i < lanes.divisors[d].size(); ++i)
      up[d].push_back(one_prime_up(lanes.divisors[d], i));
  }
  chain_ = nest.root().at[operand] + std::size_t{1};
  rests_.resize(count * chain_);
  const bool energy = claim.follows_energy();
  const bool miredo = claim.objective().miredo;

  for (std::size_t index = count; index-- > 0;) {
    Extents content;
    content.fill(1);
    Int remaining = 1;
    Int longest = 1;                  // that the loop of the next transfer can be
    std::vector<Rest> grown(chain_);  // once the content has grown by one prime, in the same memory
    for (std::size_t d = 0; d < dim_count; ++d) {
      if (strides_[d] == 0) continue;
      const auto& divisors = lanes.divisors[d];
      const std::size_t i = index / strides_[d] % divisors.size();
      content[d] = divisors[i];
      remaining = times(remaining, lanes.temporal[d] / divisors[i]);
      longest = std::max(longest, lanes.temporal[d] / divisors[i]);
      for (const std::size_t j : up[d][i])
        for (std::size_t c = 0; c < chain_; ++c)
          grown[c].take_least(rests_[(index + (j - i) * strides_[d]) * chain_ + c]);
    }
    const bool full = index + 1 == count;
    for (std::size_t c = 0; c < chain_; ++c) {
      const Int bits = times(nest.elements(operand, content, nest.memory_at(operand, c)),
                             nest.width_stored(operand, c, true));
      if (c != 0 && bits > nest.capacity(nest.memory_at(operand, c))) continue;
      const auto pay = [&](std::size_t to) {
        return energy ? nest.transfer_energy(operand, content, c, to, full ? 1 : remaining, 0, true)
                      : Wide{0};
      };
      Rest best = grown[c];
      if (full) {
        best.possible = true;
        if (c != 0) {
          best.transfers = best.stream = nest.cycles(operand, content, 0, true);
          best.energy = pay(0);
        }
      }
      // A block is left only below a loop that the operand sees.
      for (std::size_t to = 0; to < c && !full; ++to) {
        if (!grown[to].possible) continue;
        const Int t = nest.cycles(operand, content, to, true);
        Rest rest = grown[to];
        rest.transfers = plus(rest.transfers, t);
        if (miredo)
          rest.stream = to != 0        ? grown[to].stream
                        : operand == O ? times(t, plus(remaining, remaining / longest))
                                       : times(t, remaining);
        else
          rest.stream = std::max(plus(times(t, remaining), grown[to].transfers), plus(t, grown[to].stream));
        rest.energy = plus(rest.energy, pay(to));
        best.take_least(rest);
      }
      rests_[index * chain_ + c] = best;
    }
  }
}

std::shared_ptr<const OperandBounds> BoundsCache::get(const Nest& nest, Operand operand,
                                                      const Machine& machine, const Claim& claim) {
  const Lanes& lanes = nest.lanes();
  std::string key;
  const auto add = [&](Int number) { key.append(reinterpret_cast<const char*>(&number), sizeof number); };
  add(static_cast<Int>(operand));
  for (std::size_t d = 0; d < dim_count; ++d)
    if (is_relevant(d, operand)) add(lanes.temporal[d]);
  for (const std::size_t m : machine.chains[operand]) {
    for (std::size_t d = 0; d < dim_count; ++d)
      if (is_relevant(d, operand)) add(lanes.below[m][d]);
    if (claim.follows_energy()) add(lanes.above[m]);
    if (operand == O) add(lanes.reduced_above[m] ? 1 : 0);
  }
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = made_.find(key); found != made_.end()) return found->second;
  }
  auto made = std::make_shared<const OperandBounds>(nest, operand, claim);
  const std::lock_guard lock(mutex_);
  return made_.emplace(key, std::move(made)).first->second;
}

}  // namespace nestor::check

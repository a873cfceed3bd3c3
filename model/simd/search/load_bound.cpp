#include "model/simd/search/load_bound.h"

#include <algorithm>
#include <bit>

namespace nestor::simd {

LoadBound::LoadBound(const MachineSets& machine) : machine_(machine) {
  for (std::uint32_t gate = 0; gate < machine_.gates; ++gate) {
    const Gates direct = gates_of(machine_.fanins[gate] & machine_.all_gates);
    before_.push_back(direct);
    for (Gates left = direct; left != 0; left &= left - 1)
      before_[gate] |= before_[static_cast<std::size_t>(std::countr_zero(left))];
  }
  for (std::size_t array = 0; array < machine_.first_alike(); ++array)
    kinds_.push_back({machine_.home[array], machine_.capacity[array], {}});
  kinds_.push_back({0, machine_.capacity[machine_.arrays - 1U], {}});
}

std::optional<LoadBound> LoadBound::make(const MachineSets& machine, std::size_t patience, const Stop& stop) {
  if (machine.gates > most_gates || machine.arrays == machine.first_alike()) return std::nullopt;
  LoadBound result(machine);
  result.patience_ = patience;
  if (!result.divide_among_empty(stop)) return std::nullopt;
  return result;
}

/// Computes the fewest copies for every set of gates if the set is divided among any number of empty arrays.
/// Returns false if the limit on cases or a stop ends the computation.
bool LoadBound::divide_among_empty(const Stop& stop) {
  const Gates all = gates_of(machine_.all_gates);
  Costs one(all + 1, 0);
  for (Gates set = 0; set <= all; ++set) {
    one[set] = loads(kinds_.back(), {set, 0, 0});
    if (cases_ >= patience_ || (set % 64 == 0 && should_stop(stop))) return false;
  }
  empty_.assign(all + 1, unlimited);
  empty_[0] = 0;
  for (Gates set = 1; set <= all; ++set) {
    if (set % 1024 == 0 && should_stop(stop)) return false;
    // One array runs the first gate and the gates `with`, and other arrays run all remaining gates.
    const Gates first = set & (~set + 1), rest = set ^ first;
    std::uint32_t least = unlimited;
    for (Gates with = rest;; with = (with - 1) & rest) {
      least = std::min<std::uint32_t>(least, one[with | first] + empty_[rest ^ with]);
      if (with == 0) break;
    }
    empty_[set] = static_cast<std::uint8_t>(least);
  }
  return true;
}

ValueSet LoadBound::read_by(Gates gates) const {
  ValueSet result = 0;
  for (; gates != 0; gates &= gates - 1)
    result |= machine_.fanins[static_cast<std::size_t>(std::countr_zero(gates))];
  return result;
}

std::uint8_t LoadBound::loads(Kind& kind, Case now) {
  if (now.gates == 0) return 0;
  now.held &= (read_by(now.gates) & ~kind.home) | (now.own & machine_.must_stay);
  now.own &= now.held;
  if (const auto known = kind.loads.find(now); known != kind.loads.end()) return known->second;
  if (cases_ >= patience_) return 0;
  ++cases_;
  const std::uint8_t least = least_of(kind, now);
  kind.loads.emplace(now, least);
  return least;
}

std::uint8_t LoadBound::least_of(Kind& kind, const Case& now) {
  std::uint8_t least = unlimited;
  for (Gates left = now.gates; left != 0; left &= left - 1) {
    const auto gate = static_cast<std::uint32_t>(std::countr_zero(left));
    if ((before_[gate] & now.gates) == 0) least = std::min(least, loads_if_next(kind, now, gate));
  }
  return least;
}

/// Evaluates (5.1) of docs/models/simd.md with `gate` as the next gate: the best choice of values to keep
/// beside those that the gate reads, and then beside its result. Suppose that only this array stores a value,
/// and that no other array reads it. Evicting the value then requires a copy to another array if the value is
/// still to be read here or must be stored.
std::uint8_t LoadBound::loads_if_next(Kind& kind, const Case& now, std::uint32_t gate) {
  const ValueSet reads = machine_.fanins[gate] & ~kind.home, result = bit_of(gate);
  if (count(reads) > kind.capacity || kind.capacity == 0) return unlimited;
  const std::uint32_t room = kind.capacity - count(reads), brought = count(reads & ~now.held);
  const ValueSet others = now.held & ~reads;
  const Gates gates = now.gates & ~(Gates{1} << gate);
  const ValueSet readers = machine_.readers[machine_.inputs + gate];
  const bool is_own = (gates_of(readers) & ~gates) == 0;
  const ValueSet read = read_by(gates);
  std::uint32_t least = unlimited;
  const auto run_with = [&](ValueSet kept) {
    const ValueSet own = now.own & (kept | reads);
    const ValueSet useful = (kept | reads) & ~kind.home & (read | (own & machine_.must_stay));
    const std::uint32_t cost = brought + count(now.own & others & ~kept);
    const ValueSet own_after = own | (is_own ? result : 0);
    if (count(useful) < kind.capacity) {
      least = std::min<std::uint32_t>(least, cost + loads(kind, {gates, useful | result, own_after}));
      return;
    }
    for (ValueSet left = useful; left != 0; left &= left - 1) {
      const ValueSet victim = left & (~left + 1);
      const std::uint32_t saved = (victim & own) != 0 ? 1 : 0;
      least = std::min<std::uint32_t>(
          least, cost + saved + loads(kind, {gates, (useful & ~victim) | result, own_after & ~victim}));
    }
  };
  if (count(others) <= room) {
    run_with(others);
  } else {
    for (ValueSet kept = others;; kept = (kept - 1) & others) {
      if (count(kept) == room) run_with(kept);
      if (kept == 0) break;
    }
  }
  return static_cast<std::uint8_t>(std::min<std::uint32_t>(least, unlimited));
}

std::uint32_t LoadBound::at_least(ValueSet computed, const MachineSets::Contents& held,
                                  std::uint32_t enough) {
  const Gates open = gates_of(machine_.all_gates & ~computed);
  if (open == 0 || enough == 0) return 0;
  const ValueSet useful = read_by(open) | machine_.must_stay;
  ValueSet once = 0, more = 0;
  for (std::size_t array = 0; array < machine_.arrays; ++array) {
    more |= once & held[array];
    once |= held[array];
  }
  const ValueSet own = once & ~more & machine_.all_gates;
  const auto limit = static_cast<std::uint8_t>(std::min<std::uint32_t>(enough, unlimited));
  // Partial sums of (5.2): sum_ has the fewest copies for each set of open gates, divided among the arrays
  // processed so far. Empty arrays are processed first.
  if (sum_.size() != empty_.size()) sum_.resize(empty_.size());
  for (Gates set = open;; set = (set - 1) & open) {
    sum_[set] = std::min(empty_[set], limit);
    if (set == 0) break;
  }
  for (std::size_t array = 0; array < machine_.arrays; ++array) {
    Kind& kind = kinds_[std::min(array, machine_.first_alike())];
    const bool is_home = array < machine_.first_alike();
    if (kind.capacity == 0 || (!is_home && (held[array] & useful) == 0)) continue;
    next_ = sum_;
    for (Gates mine = open; mine != 0; mine = (mine - 1) & open) {
      ValueSet own_here = 0;
      for (ValueSet left = own & held[array]; left != 0; left &= left - 1) {
        const auto value = static_cast<std::uint32_t>(std::countr_zero(left));
        if ((gates_of(machine_.readers[value]) & open & ~mine) == 0) own_here |= MachineSets::bit(value);
      }
      const std::uint8_t cost = loads(kind, {mine, held[array], own_here});
      if (cost >= limit) continue;
      const Gates others = open & ~mine;
      for (Gates set = others;; set = (set - 1) & others) {
        std::uint8_t& least = next_[set | mine];
        least = std::min(least, static_cast<std::uint8_t>(sum_[set] + cost));
        if (set == 0) break;
      }
    }
    std::swap(sum_, next_);
  }
  return sum_[open];
}

}  // namespace nestor::simd

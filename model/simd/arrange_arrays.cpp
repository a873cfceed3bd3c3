#include "model/simd/arrange_arrays.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "model/simd/energy.h"

namespace nestor::simd {

namespace {

constexpr std::size_t most_exact = 12;

/// Number of copies between each pair of movable arrays, and between each movable array and all home arrays.
class Traffic {
 public:
  Traffic(const Schedule& schedule, std::uint32_t home_arrays) {
    size_ = array_count(schedule, home_arrays) - home_arrays;
    copies_.assign(size_ * size_, 0);
    from_home_.assign(size_, 0);
    for (const Instruction& instruction : schedule.instructions)
      if (instruction.is_copy()) count(instruction.from.array, instruction.to.array, home_arrays);
  }

  std::size_t size() const { return size_; }
  std::uint64_t between(std::size_t a, std::size_t b) const { return copies_[a * size_ + b]; }
  std::uint64_t from_home(std::size_t a) const { return from_home_[a]; }

 private:
  void count(std::uint32_t from, std::uint32_t to, std::uint32_t home_arrays) {
    if (from < home_arrays && to < home_arrays) return;
    if (from < home_arrays || to < home_arrays) {
      ++from_home_[std::max(from, to) - home_arrays];
    } else if (from != to) {
      ++copies_[(from - home_arrays) * size_ + (to - home_arrays)];
      ++copies_[(to - home_arrays) * size_ + (from - home_arrays)];
    }
  }

  std::size_t size_ = 0;
  std::vector<std::uint64_t> copies_, from_home_;
};

using Order = std::vector<std::size_t>;  // arrays after the home arrays, in their order on the line

/// Returns the best order. A copy crosses the borders between its two arrays, so the sum of distances is the
/// sum of copies over each border. Borders between or inside the home arrays do not depend on the order. The
/// copies that cross the border before position k are those between the arrays from position k on and all
/// other arrays. Their number does not depend on the order of the first arrays, so the least sum for each set
/// of first arrays suffices.
Order best_order(const Traffic& traffic) {
  const std::size_t n = traffic.size();
  const std::size_t sets = std::size_t{1} << n;
  // For each set, number of copies between its arrays or the home arrays and all other arrays.
  std::vector<std::uint64_t> crossing(sets, 0);
  std::vector<std::uint64_t> least(sets, std::numeric_limits<std::uint64_t>::max());
  std::vector<std::uint8_t> last(sets, 0);
  for (std::size_t a = 0; a < n; ++a) crossing[0] += traffic.from_home(a);
  least[0] = 0;
  for (std::size_t set = 0; set < sets; ++set)
    for (std::size_t a = 0; a < n; ++a) {
      if ((set >> a & 1U) != 0) continue;
      const std::size_t with = set | std::size_t{1} << a;
      crossing[with] = crossing[set] - traffic.from_home(a);
      for (std::size_t b = 0; b < n; ++b) {
        if (b == a) continue;
        if ((set >> b & 1U) != 0)
          crossing[with] -= traffic.between(a, b);
        else
          crossing[with] += traffic.between(a, b);
      }
      if (least[set] + crossing[set] >= least[with]) continue;
      least[with] = least[set] + crossing[set];
      last[with] = static_cast<std::uint8_t>(a);
    }
  Order order;
  for (std::size_t set = sets - 1; set != 0; set &= ~(std::size_t{1} << last[set]))
    order.push_back(last[set]);
  std::reverse(order.begin(), order.end());
  return order;
}

std::uint64_t sum_of_distances(const Traffic& traffic, const Order& order) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    sum += traffic.from_home(order[i]) * i;
    for (std::size_t j = 0; j < i; ++j) sum += traffic.between(order[i], order[j]) * (i - j);
  }
  return sum;
}

/// Returns the order after swaps of neighbours, as long as these improve it. The number of sweeps is limited,
/// because each sweep takes long for many arrays.
Order improved_order(const Traffic& traffic) {
  constexpr int most_sweeps = 4;
  Order order(traffic.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::uint64_t sum = sum_of_distances(traffic, order);
  bool gained = true;
  for (int sweep = 0; sweep < most_sweeps && gained; ++sweep) {
    gained = false;
    for (std::size_t i = 0; i + 1 < order.size(); ++i) {
      std::swap(order[i], order[i + 1]);
      const std::uint64_t now = sum_of_distances(traffic, order);
      gained |= now < sum;
      if (now < sum)
        sum = now;
      else
        std::swap(order[i], order[i + 1]);
    }
  }
  return order;
}

}  // namespace

std::uint32_t array_count(const Schedule& schedule, std::uint32_t home_arrays) {
  std::uint32_t count = home_arrays;
  for (const Instruction& instruction : schedule.instructions)
    count = std::max(count, instruction.to.array + 1);
  return count;
}

void renumber_arrays(Schedule& schedule, std::span<const std::uint32_t> number) {
  for (Instruction& instruction : schedule.instructions) {
    instruction.to.array = number[instruction.to.array];
    if (instruction.is_copy()) instruction.from.array = number[instruction.from.array];
  }
  for (OutputPlace& output : schedule.outputs)
    if (output.kind == OutputPlace::Kind::stored) output.place.array = number[output.place.array];
}

std::uint64_t arrays_passed(const Schedule& schedule) {
  std::uint64_t sum = 0;
  for (const Instruction& instruction : schedule.instructions)
    if (instruction.is_copy()) sum += arrays_between(instruction.from.array, instruction.to.array);
  return sum;
}

void arrange_arrays(Schedule& schedule, std::uint32_t home_arrays) {
  constexpr std::size_t most = 256;  // with more, the table of copies would be too large
  const std::uint32_t movable = array_count(schedule, home_arrays) - home_arrays;
  if (movable < 2 || movable > most) return;
  const Traffic traffic(schedule, home_arrays);
  const Order order = traffic.size() <= most_exact ? best_order(traffic) : improved_order(traffic);
  std::vector<std::uint32_t> number(home_arrays + order.size());
  std::iota(number.begin(), number.end(), 0U);
  for (std::size_t i = 0; i < order.size(); ++i)
    number[home_arrays + order[i]] = home_arrays + static_cast<std::uint32_t>(i);
  renumber_arrays(schedule, number);
}

}  // namespace nestor::simd

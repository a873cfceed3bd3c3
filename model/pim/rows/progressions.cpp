#include "model/pim/rows/progressions.h"

#include <algorithm>
#include <numeric>

namespace nestor::pim {
namespace {

// Returns the number of integers in [0, end) whose remainder modulo `row` is less than `below`.
Int up_to(Int end, Int row, Int below) { return end / row * below + std::min(end % row, below); }

// Returns the sum of floor((start + i * stride) / row) over the progression, by Euclid's algorithm.
Int quotients(Progression here, Int start, Int row) {
  Int total = 0;
  for (;;) {
    total += (here.count - 1) * here.count / 2 * (here.stride / row) + here.count * (start / row);
    here.stride %= row;
    start %= row;
    const Int last = here.stride * here.count + start;
    if (last < row) return total;
    here.count = last / row;
    start = last % row;
    std::swap(here.stride, row);
  }
}

// Returns the result of SumCounter::count() for a single progression. Preconditions: 0 < stride < row, 0 <=
// start < row.
Int count_one(const Progression& here, Int start, Int row, Int below) {
  constexpr Int few = 12;
  if (here.stride == 1) return up_to(start + here.count, row, below) - up_to(start, row, below);
  if (here.stride == row - 1) {  // equivalent to a stride of -1
    const Int end = start - here.count + 1 + ceil_divide(here.count, row) * row;
    return up_to(end + here.count, row, below) - up_to(end, row, below);
  }
  if (here.count <= few) {
    Int total = 0;
    for (Int i = 0; i < here.count; ++i) {
      total += static_cast<Int>(start < below);
      start += here.stride;
      if (start >= row) start -= row;
    }
    return total;
  }
  return quotients(here, start, row) - quotients(here, start + row - below, row) + here.count;
}

}  // namespace

void Progressions::list(Int start, std::vector<Int>& into) const {
  const std::size_t first = into.size();
  into.push_back(start);
  for (const Progression& here : *this) {
    const std::size_t known = into.size();
    for (Int i = 1; i < here.count; ++i)
      for (std::size_t place = first; place < known; ++place) into.push_back(into[place] + i * here.stride);
  }
}

Int SumCounter::count(const Progressions& places, Int start, Int row, Int below) {
  if (below <= 0) return 0;
  if (below >= row) return places.sums();
  Int times = 1;
  Int common = row;
  Progressions moving;
  for (Progression here : places) {
    if (here.stride >= row) here.stride %= row;
    if (here.stride == 0 || here.count == 1) {
      times *= here.count;
      continue;
    }
    common = std::gcd(common, here.stride);
    moving.push(here);
  }
  if (common > 1) {  // converts to units of the common divisor of all strides
    const Int over = start % common;
    if (below <= over) return 0;
    start /= common;
    row /= common;
    below = ceil_divide(below - over, common);
    if (below >= row) return times * moving.sums();
    for (std::size_t i = 0; i < moving.size(); ++i) moving[i].stride /= common;
  }
  start %= row;
  if (moving.size() == 0) return times * static_cast<Int>(start < below);
  if (moving.size() == 1) return times * count_one(moving[0], start, row, below);
  return times * several(moving, start, row, below);
}

Int SumCounter::several(Progressions& places, Int start, Int row, Int below) {
  // Each full period of a progression reaches every place of its residue class once.
  std::size_t longest = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Int reached = std::gcd(places[i].stride, row);
    const Int period = row / reached;
    if (places[i].count > places[longest].count) longest = i;
    if (places[i].count < period) continue;
    const Progression here = places[i];
    places.remove(i);
    const Int rounds = here.count / period;
    Int total = rounds * (below / reached * places.sums() + count(places, start, reached, below % reached));
    if (const Int rest = here.count % period; rest > 0) {
      places.push({here.stride, rest});
      total += count(places, start, row, below);
    }
    return total;
  }
  // The longest progression is counted in closed form, once per sum of the other progressions.
  constexpr Int few = 24;
  if (places.sums() > few * places[longest].count) return in_halves(places, start, row, below);
  const Progression last = places[longest];
  places.remove(longest);
  listed_.clear();
  places.list(start, listed_);
  Int total = 0;
  for (const Int place : listed_) total += count_one(last, place % row, row, below);
  return total;
}

// Returns the result of count(). Splits the progressions into two groups with about equally many sums, and
// counts pairs of a sum of each group.
Int SumCounter::in_halves(const Progressions& places, Int start, Int row, Int below) {
  constexpr Int most_listed = 1 << 14;
  std::array<Progressions, 2> halves;
  Progressions sorted = places;
  std::sort(&sorted[0], &sorted[0] + sorted.size(),
            [](const Progression& a, const Progression& b) { return a.count > b.count; });
  std::array<Int, 2> sums{1, 1};
  for (const Progression& here : sorted) {
    const auto to = static_cast<std::size_t>(sums[1] < sums[0]);
    halves[to].push(here);
    sums[to] *= here.count;
  }
  if (std::max(sums[0], sums[1]) > most_listed || row > ResidueSet::longest_row) {
    gave_up_ = true;
    return 0;
  }
  listed_.clear();
  halves[0].list(0, listed_);
  residues_.clear(row);
  for (const Int place : listed_) residues_.add(place % row);
  residues_.expect(static_cast<std::size_t>(sums[1]));
  listed_.clear();
  halves[1].list(start, listed_);
  Int total = 0;
  for (const Int place : listed_) {
    const Int over = place % row;
    total += residues_.within(over == 0 ? 0 : row - over, below);
  }
  return total;
}

}  // namespace nestor::pim

#include "model/pim/rows/one_bank.h"

#include <algorithm>
#include <numeric>

namespace nestor::pim {
namespace {

// The places start + i * stride, 0 <= i < count.
struct Progression {
  Int stride = 0;
  Int count = 1;
};
using Progressions = FixedVector<Progression, max_loops + coordinate_count>;

// Counts sums of one place of each progression whose remainder is below a limit.
class PlaceCounter {
 public:
  bool gave_up() const { return left_ == 0; }

  // Sums with (start + sum) mod row < below; start >= 0.
  Int count(Progressions places, Int start, Int row, Int below) {
    if (below <= 0 || gave_up()) return 0;
    Int times = 1;
    Int common = row;
    for (std::size_t i = 0; i < places.size();) {
      Progression& here = places[i];
      here.stride %= row;
      if (here.stride == 0 || here.count == 1) {
        times *= here.count;
        remove(places, i);
        continue;
      }
      common = std::gcd(common, here.stride);
      ++i;
    }
    if (below >= row) return times * sums(places);
    if (common > 1) {  // in units of what all strides are multiples of
      const Int over = start % common;
      start /= common;
      row /= common;
      below = below > over ? ceil_divide(below - over, common) : 0;
      if (below == 0) return 0;
      for (Progression& here : places) here.stride /= common;
      if (below >= row) return times * sums(places);
    }
    start %= row;
    if (places.empty()) return times * static_cast<Int>(start < below);
    if (places.size() == 1) return times * count_one(places[0], start, row, below);
    return times * count_several(places, start, row, below);
  }

 private:
  static void remove(Progressions& places, std::size_t i) {
    places[i] = places[places.size() - 1];
    places.pop_back();
  }
  static Int sums(const Progressions& places) {
    Int product = 1;
    for (const Progression& here : places) product *= here.count;
    return product;
  }

  Int count_several(Progressions& places, Int start, Int row, Int below) {
    // A progression that comes round meets every place that its stride reaches, equally often.
    for (std::size_t i = 0; i < places.size(); ++i) {
      const Int reached = std::gcd(places[i].stride, row);
      const Int period = row / reached;
      if (places[i].count < period) continue;
      const Progression here = places[i];
      remove(places, i);
      const Int rounds = here.count / period;
      Int total = rounds * (below / reached * sums(places) + count(places, start, reached, below % reached));
      if (const Int rest = here.count % period; rest > 0) {
        places.push_back({here.stride, rest});
        total += count(places, start, row, below);
      }
      return total;
    }
    // The shortest one place after the other.
    std::size_t shortest = 0;
    for (std::size_t i = 1; i < places.size(); ++i)
      if (places[i].count < places[shortest].count) shortest = i;
    const Progression here = places[shortest];
    remove(places, shortest);
    Int total = 0;
    for (Int i = 0; i < here.count && !gave_up(); ++i) {
      --left_;
      total +=
          places.size() == 1 ? count_one(places[0], start, row, below) : count(places, start, row, below);
      start += here.stride;
      if (start >= row) start -= row;
    }
    return total;
  }

  static Int count_one(const Progression& here, Int start, Int row, Int below) {
    constexpr Int few = 12;
    if (here.stride == 1) return up_to(start + here.count, row, below) - up_to(start, row, below);
    if (here.stride == row - 1) {  // downwards
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
  // Numbers from 0 up to `end`, not included, whose remainder is below the limit.
  static Int up_to(Int end, Int row, Int below) { return end / row * below + std::min(end % row, below); }

  // The sum of floor((start + i * stride) / row), by Euclid's algorithm.
  static Int quotients(Progression here, Int start, Int row) {
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

  static constexpr int most_visited = 4000;
  int left_ = most_visited;
};

// A loop that goes on where another one has its next place is one with it.
void add(Progressions& places, const Progression& added) {
  for (Progression& here : places) {
    if (here.stride == added.count * added.stride) {
      here = {added.stride, here.count * added.count};
      return;
    }
  }
  places.push_back(added);
}

class Transitions {
 public:
  explicit Transitions(const RowLevels& levels) : levels_(levels), row_(levels.row_elements) {}

  std::optional<Int> count() {
    const std::size_t depth = levels_.levels.size();
    Int repeats = 1;
    Int travel = levels_.span;  // of all levels from here inward, from their first place to the last
    for (const RowLevel& level : levels_.levels) {
      travel += (level.count - 1) * level.stride;
      if (level.kind == RowLevel::Kind::repeat) repeats *= level.count;
    }
    // Where sums return, every visit but a tile's first is made twice.
    const Int inside = levels_.returns ? 2 * repeats - 1 : repeats;
    Int total = 1;
    Int repeated = 1;  // by the loops outside
    for (std::size_t l = 0; l <= depth; ++l) {
      if (l == levels_.visit && levels_.returns) total += (repeats - 1) * crossings(-travel, travel);
      if (l == depth) break;
      const RowLevel& level = levels_.levels[l];
      const Int times = l < levels_.visit ? repeated : inside;
      if (level.kind == RowLevel::Kind::repeat) {
        total += times * (level.count - 1) * crossings(-travel, travel);
        repeated *= level.count;
        continue;
      }
      travel -= (level.count - 1) * level.stride;
      Progressions before = outside_;
      if (level.count > 2) before.push_back({level.stride, level.count - 1});
      std::swap(before, outside_);
      total += times * crossings(level.stride - travel, travel);
      std::swap(before, outside_);
      add(outside_, {level.stride, level.count});
    }
    total += inside * rows_ascended();
    if (counter_.gave_up()) return std::nullopt;
    return total;
  }

 private:
  // Of all steps by `distance` from places of the loops outside plus `from`, those that leave their row.
  Int crossings(Int distance, Int from) {
    if (distance == 0) return 0;
    const Int length = distance < 0 ? -distance : distance;
    if (length >= row_) return product();
    const Int start = distance < 0 ? from : from % row_ + length;
    return counter_.count(outside_, start, row_, length);
  }
  // The innermost, folded levels touch every row between their ends.
  Int rows_ascended() {
    const Int part = levels_.span % row_;
    return levels_.span / row_ * product() + counter_.count(outside_, part, row_, part);
  }
  Int product() const {
    Int product = 1;
    for (const Progression& here : outside_) product *= here.count;
    return product;
  }

  const RowLevels& levels_;
  Int row_;
  Progressions outside_;
  PlaceCounter counter_;
};

}  // namespace

std::optional<Int> one_bank_activations(const RowLevels& levels) { return Transitions(levels).count(); }

}  // namespace nestor::pim

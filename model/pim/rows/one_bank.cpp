#include "model/pim/rows/one_bank.h"

namespace nestor::pim {
namespace {

class Transitions {
 public:
  Transitions(const RowLevels& levels, SumCounter& counter)
      : levels_(levels), row_(levels.row_elements), counter_(counter) {}

  Int count() {
    const std::size_t depth = levels_.levels.size();
    Int repeats = 1;
    Int travel = levels_.span;  // distance from the first place to the last, over all levels from here inward
    for (const RowLevel& level : levels_.levels) {
      travel += (level.count - 1) * level.stride;
      if (level.kind == RowLevel::Kind::repeat) repeats *= level.count;
    }
    // If sums return, every visit to a tile except the first is made twice.
    const Int inside = levels_.returns ? 2 * repeats - 1 : repeats;
    Int total = 1;
    Int repeated = 1;  // iterations of the repeating outside loops
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
      outside_.push({level.stride, level.count - 1});
      total += times * crossings(level.stride - travel, travel);
      outside_.pop();
      outside_.add({level.stride, level.count});
    }
    total += inside * rows_ascended();
    return total;
  }

 private:
  // Returns the number of steps by `distance` that leave their row. They start at `from` plus all places of
  // the outside loops.
  Int crossings(Int distance, Int from) {
    if (distance == 0) return 0;
    const Int length = distance < 0 ? -distance : distance;
    if (length >= row_) return outside_.sums();
    const Int start = distance < 0 ? from : from % row_ + length;
    return counter_.count(outside_, start, row_, length);
  }
  // Returns the number of row changes in the innermost, folded levels, which touch every row between their
  // ends.
  Int rows_ascended() {
    const Int part = levels_.span % row_;
    return levels_.span / row_ * outside_.sums() + counter_.count(outside_, part, row_, part);
  }

  const RowLevels& levels_;
  Int row_;
  Progressions outside_;
  SumCounter& counter_;
};

}  // namespace

std::optional<Int> one_bank_activations(const RowLevels& levels, SumCounter& counter) {
  counter.begin();
  const Int activations = Transitions(levels, counter).count();
  if (counter.gave_up()) return std::nullopt;
  return activations;
}

}  // namespace nestor::pim

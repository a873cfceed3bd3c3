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
      outside_.push({level.stride, level.count - 1});
      total += times * crossings(level.stride - travel, travel);
      outside_.pop();
      outside_.add({level.stride, level.count});
    }
    total += inside * rows_ascended();
    return total;
  }

 private:
  // Of all steps by `distance` from places of the loops outside plus `from`, those that leave their row.
  Int crossings(Int distance, Int from) {
    if (distance == 0) return 0;
    const Int length = distance < 0 ? -distance : distance;
    if (length >= row_) return outside_.sums();
    const Int start = distance < 0 ? from : from % row_ + length;
    return counter_.count(outside_, start, row_, length);
  }
  // The innermost, folded levels touch every row between their ends.
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

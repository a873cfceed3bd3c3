#include "model/pim/rows/row_counter.h"

#include <array>
#include <numeric>
#include <utility>
#include <vector>

#include "model/pim/rows/one_bank.h"
#include "model/pim/rows/one_bank_blocks.h"
#include "model/pim/rows/row_levels.h"
#include "model/pim/rows/row_summary.h"
#include "model/pim/rows/summary_memo.h"

namespace nestor::pim {
namespace {

template <std::size_t Capacity>
class Kernel {
 public:
  using Algebra = RowAlgebra<Capacity>;
  using Summary = typename Algebra::Summary;

  Int count(const RowLevels& levels, Int banks) {
    levels_ = &levels;
    algebra_ = Algebra(banks);
    memo_.clear();
    const Int row = levels.row_elements;
    const Int last = levels.span / row;
    over_ = levels.span % row;
    if (!levels.blocked) leaf_ = {algebra_.ascending(last), algebra_.ascending(last + 1)};
    Position start;
    to_representative(0, start);
    return algebra_.from_closed(level(0, start, levels.returns));
  }

 private:
  // Returns the summary of all accesses of the levels from `depth` inward. `first` is true if no outside loop
  // repeats an earlier visit.
  Summary level(std::size_t depth, const Position& at, bool first) {
    if (depth != levels_->visit || !levels_->returns || first) return inside(depth, at, first);
    Summary twice = inside(depth, at, true);  // read, then write
    const Summary once = twice;
    algebra_.append(twice, once, 0);
    return twice;
  }

  Summary inside(std::size_t depth, const Position& at, bool first) {
    if (!levels_->blocked) {
      if (depth == levels_->levels.size())
        return leaf_[static_cast<std::size_t>(at.address + over_ >= levels_->row_elements)];
    } else {
      const Int dense = levels_->contents[depth].dense;
      if (dense >= 0 && stays_in_block(depth, at))
        return algebra_.ascending((at.address + dense) / levels_->row_elements);
      if (depth == levels_->levels.size()) return line(at);
    }
    if (depth == 0) return loop(depth, at, first);
    // Inside a visit, results do not depend on earlier visits.
    const auto tag =
        static_cast<std::uint32_t>(2 * depth + static_cast<std::size_t>(first || depth >= levels_->visit));
    if (const Summary* known = memo_.find(tag, at)) return *known;
    const Summary summary = loop(depth, at, first);
    memo_.keep(tag, at, summary);
    return summary;
  }

  Summary loop(std::size_t depth, const Position& at, bool first) {
    const RowLevel& here = levels_->levels[depth];
    if (here.kind == RowLevel::Kind::repeat) return repeats(depth, at, first);
    if (here.count <= here.period) return iterations(depth, at, first, here.count);
    // One period is raised to a power, and the remaining iterations are appended.
    const Int row = levels_->row_elements;
    Summary total = iterations(depth, at, first, here.period);
    Int block = 1;
    if (here.kind == RowLevel::Kind::height) block = levels_->block_height;
    if (here.kind == RowLevel::Kind::width) block = levels_->block_width;
    const Int steps = here.kind == RowLevel::Kind::affine ? here.period : here.period * here.step / block;
    const Int shift = steps * here.stride / row;
    const Int periods = here.count / here.period;
    total = algebra_.power(total, periods, shift);
    if (const Int left = here.count % here.period; left > 0)
      algebra_.append(total, iterations(depth, at, first, left), periods * shift);
    return total;
  }

  Summary repeats(std::size_t depth, const Position& at, bool first) {
    const Int count = levels_->levels[depth].count;
    Position inner = at;
    const Int moved = to_representative(depth + 1, inner);
    Summary content = algebra_.power(level(depth + 1, inner, first), first ? 1 : count, 0);
    if (first) algebra_.append(content, algebra_.power(level(depth + 1, inner, false), count - 1, 0), 0);
    Summary total = algebra_.nothing();
    algebra_.append(total, content, moved);
    return total;
  }

  bool stays_in_block(std::size_t depth, const Position& at) const {
    const RowContent& content = levels_->contents[depth];
    return at.height + content.height_travel < levels_->block_height &&
           at.width + content.width_travel < levels_->block_width;
  }

  // Moves `at` to the representative of all places from which the levels from `depth` inward behave equally.
  // Returns the number of whole rows that were subtracted from the address.
  Int to_representative(std::size_t depth, Position& at) const {
    const RowContent& content = levels_->contents[depth];
    Int shift = 0;
    if (levels_->blocked) {
      const bool height = at.height + content.height_travel < levels_->block_height;
      const bool width = at.width + content.width_travel < levels_->block_width;
      if (height) at.address += std::exchange(at.height, 0) * levels_->block_width;
      if (width) at.address += std::exchange(at.width, 0);
      if (at.address >= levels_->row_elements) {
        shift = at.address / levels_->row_elements;
        at.address %= levels_->row_elements;
      }
      if (!height || !width) return shift;
    }
    // No row starts between two multiples of `coarse`. If all fine movements stay between two multiples, the
    // exact position is irrelevant.
    if (const Int past = at.address % content.coarse; past + content.fine_travel < content.coarse) {
      at.address -= past;
      return shift;
    }
    // No row starts between two multiples of the grain either. The only relevant property is whether the last
    // place reaches the next multiple.
    const Int past = at.address % content.grain;
    const Int span = levels_->span % content.grain;
    at.address += past + span < content.grain ? -past : content.grain - span - past;
    return shift;
  }

  Summary iterations(std::size_t depth, Position at, bool first, Int count) {
    const RowLevel& here = levels_->levels[depth];
    if (depth + 1 == levels_->levels.size() && here.kind == RowLevel::Kind::affine && !levels_->blocked &&
        !(levels_->returns && depth + 1 == levels_->visit))
      return pieces(here, at.address, count);
    const Int row = levels_->row_elements;
    const Int whole = here.stride / row;  // number of whole rows in one stride
    const Int part = here.stride % row;
    Position inner = at;
    Int begin = to_representative(depth + 1, inner);
    Summary content = level(depth + 1, inner, first);
    Summary total = algebra_.nothing();
    algebra_.append(total, content, begin);
    Int again = algebra_.repeated_in_place(content);  // activations of the same content in the same rows
    Int shift = 0;
    for (Int i = 1; i < count; ++i) {
      Int carries = 1;
      if (here.kind == RowLevel::Kind::height)
        carries = carry(at.height, here.step, levels_->block_height);
      else if (here.kind == RowLevel::Kind::width)
        carries = carry(at.width, here.step, levels_->block_width);
      if (carries == 1) {
        shift += whole;
        at.address += part;
        if (at.address >= row) {
          at.address -= row;
          ++shift;
        }
      } else if (carries > 1) {
        at.address += carries * here.stride;
        shift += at.address / row;
        at.address %= row;
      }
      const Position inner_before = inner;
      const Int begin_before = begin;
      inner = at;
      begin = shift + to_representative(depth + 1, inner);
      if (!(inner == inner_before)) {
        content = level(depth + 1, inner, first);
        again = algebra_.repeated_in_place(content);
      } else if (begin == begin_before) {
        total.activations += again;
        continue;
      }
      algebra_.append(total, content, begin);
    }
    return total;
  }

  // Returns the summary of a sequence of innermost pieces, each starting one stride after the previous piece.
  Summary pieces(const RowLevel& level, Int address, Int count) const {
    const Int row = levels_->row_elements;
    const Int whole = level.stride / row;
    const Int part = level.stride % row;
    const Int least = levels_->span / row;
    Summary total = algebra_.nothing();
    Int begin = 0;
    for (Int i = 0; i < count; ++i) {
      const bool longer = address + over_ >= row;
      if (least == 0) {
        algebra_.touch(total, begin);
        if (longer) algebra_.touch(total, begin + 1);
      } else {
        algebra_.append(total, leaf_[static_cast<std::size_t>(longer)], begin);
      }
      begin += whole;
      address += part;
      if (address >= row) {
        address -= row;
        ++begin;
      }
    }
    return total;
  }

  static Int carry(Int& place, Int step, Int block) {
    place += step;
    if (place < block) return 0;
    const Int carries = place / block;
    place -= carries * block;
    return carries;
  }

  // Returns the summary of a line of a blocked plane: the end of a block, whole blocks, and the beginning of
  // a block.
  Summary line(const Position& at) {
    const Int row = levels_->row_elements;
    const Int width = levels_->block_width;
    const Int block = levels_->block_height * width;
    Int address = at.address + at.height * width + at.width;
    Int left = levels_->span + 1;
    Int length = std::min(left, width - at.width);
    Summary total = algebra_.nothing();
    const auto add = [&] {
      const Int start = address % row;
      algebra_.append(total, algebra_.ascending((start + length - 1) / row), address / row);
    };
    add();
    left -= length;
    address = at.address + at.height * width + block;
    length = width;
    const Int period = row / std::gcd(block % row, row);
    if (left / width > 2 * period) {
      const Int start = address;
      const Summary before = total;
      total = algebra_.nothing();
      for (Int i = 0; i < period; ++i, address += block) {
        const Int from = (address - start + start % row);
        algebra_.append(total, algebra_.ascending((from % row + length - 1) / row), from / row);
      }
      const Int periods = left / width / period;
      const Summary many = algebra_.power(total, periods, period * block / row);
      total = before;
      algebra_.append(total, many, start / row);
      left -= periods * period * width;
      address = start + periods * period * block;
    }
    for (; left > 0; left -= length, address += block) {
      length = std::min(left, width);
      add();
    }
    return total;
  }

  const RowLevels* levels_ = nullptr;
  Algebra algebra_{1};
  // Summaries of the innermost piece with the fewest rows, and with one row more.
  std::array<Summary, 2> leaf_{};
  Int over_ = 0;
  SummaryMemo<Summary> memo_;
};

}  // namespace

struct RowCounter::Kernels {
  RowLevels levels;
  SumCounter sums;
  OneBankBlocks blocks;
  Kernel<1> one;
  Kernel<4> four;
  Kernel<8> eight;
  Kernel<static_cast<std::size_t>(max_banks)> many;
};

RowCounter::RowCounter() : kernels_(std::make_unique<Kernels>()) {}
RowCounter::~RowCounter() = default;

Int RowCounter::count(const RowWalk& walk, const Layout& layout) {
  RowLevels& levels = kernels_->levels;
  if (walk.banks == 1 && cuts_planes(walk, layout)) {
    if (const auto counted = kernels_->blocks.count(walk, layout)) return *counted;
  } else if (walk.banks == 1) {
    make_levels(walk, layout, levels, false);
    if (const auto counted = one_bank_activations(levels, kernels_->sums)) return *counted;
  }
  make_levels(walk, layout, levels, true);
  if (walk.banks == 1) return kernels_->one.count(levels, 1);
  if (walk.banks <= 4) return kernels_->four.count(levels, walk.banks);
  if (walk.banks <= 8) return kernels_->eight.count(levels, walk.banks);
  return kernels_->many.count(levels, walk.banks);
}

}  // namespace nestor::pim

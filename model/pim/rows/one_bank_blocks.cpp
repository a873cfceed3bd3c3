#include "model/pim/rows/one_bank_blocks.h"

namespace nestor::pim {
namespace {

constexpr std::size_t planes = 0;  // indices of places: images and channels, heights, widths
constexpr std::size_t height = 1;
constexpr std::size_t width = 2;
using Places = std::array<Int, 3>;

struct Step {
  Places moved{};
  bool repeats = false;
  Int count = 1;
};

}  // namespace

class OneBankBlocks::Walker {
 public:
  Walker(OneBankBlocks& own, const RowWalk& walk, const Layout& layout)
      : own_(own), walk_(walk), layout_(layout), row_(walk.row_elements) {}

  std::optional<Int> count() {
    list_levels();
    Int repeats = 1;
    for (const Step& step : levels_) {
      if (step.repeats) repeats *= step.count;
      travel(step, 1);
    }
    const bool returns = sums_return(walk_);
    const Int inside = returns ? 2 * repeats - 1 : repeats;
    Int total = 1;
    Int repeated = 1;
    for (std::size_t l = 0; l < levels_.size(); ++l) {
      if (l == visit_ && returns) total += (repeats - 1) * leaving({});
      const Step& step = levels_[l];
      const Int times = l < visit_ ? repeated : inside;
      if (step.repeats) {
        total += times * (step.count - 1) * leaving({});
        repeated *= step.count;
        continue;
      }
      travel(step, -1);
      for (std::size_t c = 0; c < 3; ++c)
        if (step.moved[c] != 0) outside_[c].push({step.moved[c], step.count - 1});
      total += times * leaving(step.moved);
      for (std::size_t c = 0; c < 3; ++c) {
        if (step.moved[c] == 0) continue;
        outside_[c].pop();
        outside_[c].add({step.moved[c], step.count});
      }
    }
    if (visit_ == levels_.size() && returns) total += (repeats - 1) * leaving({});
    if (gave_up_) return std::nullopt;
    return total;
  }

 private:
  // Lists the loops, followed by the sides of the tile, from the outermost inward.
  void list_levels() {
    const auto add = [this](const VisitLoop& loop) {
      if (loop.count == 1) return;
      Step step{.moved = {}, .repeats = loop.coordinate == VisitLoop::repeats, .count = loop.count};
      if (loop.coordinate == 0) step.moved[planes] = loop.step * walk_.size[1];
      if (loop.coordinate == 1) step.moved[planes] = loop.step;
      if (loop.coordinate == 2) step.moved[height] = loop.step;
      if (loop.coordinate == 3) step.moved[width] = loop.step;
      levels_.push_back(step);
    };
    for (const VisitLoop& loop : walk_.loops) add(loop);
    visit_ = levels_.size();
    for (std::size_t c = 0; c < coordinate_count; ++c)
      add({.coordinate = static_cast<std::uint8_t>(c), .count = walk_.tile[c], .step = 1});
  }
  void travel(const Step& step, Int sign) {
    for (std::size_t c = 0; c < 3; ++c) travel_[c] += sign * (step.count - 1) * step.moved[c];
  }

  // Returns the number of steps that leave their row. Each step leads from the last place of the inside
  // levels to their first place, shifted by `moved`.
  Int leaving(const Places& moved) {
    const Int sums = outside_[planes].sums();
    if (moved[planes] != travel_[planes]) return sums * outside_[height].sums() * outside_[width].sums();
    return sums * pairs_leaving(moved[height] - travel_[height], moved[width] - travel_[width]);
  }

  Int pairs_leaving(Int up, Int along) {
    if (up == 0 && along == 0) return 0;
    const Int block = layout_.block_height * layout_.block_width;
    if (!list(outside_[height], travel_[height], up, layout_.block_height, layout_.block_width,
              layout_.block_height * walk_.size[3], own_.heights_) ||
        !list(outside_[width], travel_[width], along, layout_.block_width, 1, block, own_.widths_)) {
      gave_up_ = true;
      return 0;
    }
    // The larger set is stored, and the smaller set provides the queries.
    std::size_t heights = own_.heights_[0].from.size() + own_.heights_[1].from.size();
    std::size_t widths = own_.widths_[0].from.size() + own_.widths_[1].from.size();
    const auto& asking = heights < widths ? own_.heights_ : own_.widths_;
    const auto& asked = heights < widths ? own_.widths_ : own_.heights_;
    Int total = 0;
    for (const Moves& set : asked) {
      if (set.from.empty()) continue;
      own_.residues_.clear(row_);
      for (const Int place : set.from) own_.residues_.add(place);
      own_.residues_.expect(std::min(heights, widths));
      for (const Moves& moves : asking) total += leaving(moves, set);
    }
    return total;
  }

  Int leaving(const Moves& moves, const Moves& set) const {
    const Int distance = moves.distance + set.distance;
    if (distance == 0) return 0;
    const Int length = distance < 0 ? -distance : distance;
    if (length >= row_) return static_cast<Int>(moves.from.size() * set.from.size());
    // An upward step leaves its row from the last `length` places of the row, a downward step from the first
    // `length` places.
    Int total = 0;
    for (const Int place : moves.from) {
      const Int from = (distance < 0 ? 0 : row_ - length) - place;
      total += own_.residues_.within(from < 0 ? from + row_ : from, length);
    }
    return total;
  }

  // Lists the steps by `moved` that start at `start` plus each sum of the progressions, along a side that is
  // cut into pieces of length `block`. Addresses of neighbouring places differ by `unit`, those of
  // neighbouring pieces by `piece`. Returns false if there are too many steps or the row is too long.
  bool list(const Progressions& places, Int start, Int moved, Int block, Int unit, Int piece,
            std::array<Moves, 2>& moves) const {
    constexpr Int most_listed = 1 << 13;
    if (places.sums() > most_listed || row_ > ResidueSet::longest_row) return false;
    own_.listed_.clear();
    places.list(start, own_.listed_);
    const auto address = [&](Int place) { return place / block * piece + place % block * unit; };
    for (Moves& each : moves) each.from.clear();
    for (const Int place : own_.listed_) {
      const Int from = address(place);
      const Int distance = moved == 0 ? 0 : address(place + moved) - from;
      const auto which = static_cast<std::size_t>(!moves[0].from.empty() && moves[0].distance != distance);
      moves[which].distance = distance;
      moves[which].from.push_back(from % row_);
    }
    return true;
  }

  OneBankBlocks& own_;
  const RowWalk& walk_;
  const Layout& layout_;
  Int row_;
  FixedVector<Step, max_loops + coordinate_count> levels_;  // outermost first
  std::size_t visit_ = 0;                                   // first level inside a visit
  std::array<Progressions, 3> outside_;
  Places travel_{};  // distance from the first to the last place of the inside levels
  bool gave_up_ = false;
};

std::optional<Int> OneBankBlocks::count(const RowWalk& walk, const Layout& layout) {
  return Walker(*this, walk, layout).count();
}

}  // namespace nestor::pim

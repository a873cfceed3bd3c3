#include "model/pim/rows/layout_choice.h"

#include <algorithm>
#include <vector>

#include "model/pim/rows/activation_floor.h"

namespace nestor::pim {
namespace {

// List of the allowed layouts in order, each with a lower bound on its activations. The activations of
// layouts are counted in ascending order of this bound, until all remaining bounds exceed the least count.
class Chooser {
 public:
  Chooser(RowCounter& counter, const RowWalk& walk) : counter_(counter), walk_(walk), passes_(passes(walk)) {}

  void list(const Layout& layout) {
    listed_.push_back({passes_ * pass_floor(walk_, layout), listed_.size(), layout});
  }
  // Lists the blocks that divide the plane, are higher than one line, and are narrower than the plane.
  void list_blocks() {
    for (Int height = 2; height <= walk_.size[2]; ++height) {
      if (walk_.size[2] % height != 0) continue;
      for (Int width = 1; width < walk_.size[3]; ++width)
        if (walk_.size[3] % width == 0) list({LayoutKind::row_aligned, height, width});
    }
  }
  // Returns the best layout. Layouts with more than `too_many` activations are skipped.
  ChosenLayout best(Int enough, Int too_many) {
    std::sort(listed_.begin(), listed_.end(), [](const Listed& a, const Listed& b) {
      return a.floor < b.floor || (a.floor == b.floor && a.place < b.place);
    });
    ChosenLayout best{.layout = listed_.front().layout, .activations = too_many};
    std::size_t place = listed_.size();
    for (const Listed& next : listed_) {
      if (best.activations <= enough || next.floor > best.activations) break;
      if (next.floor == best.activations && next.place > place) continue;
      const Int activations = counter_.count(walk_, next.layout);
      if (activations > best.activations || (activations == best.activations && next.place > place)) continue;
      best = {next.layout, activations};
      place = next.place;
    }
    return best;
  }

 private:
  struct Listed {
    Int floor = 0;
    std::size_t place = 0;
    Layout layout;
  };
  RowCounter& counter_;
  const RowWalk& walk_;
  Int passes_;
  std::vector<Listed> listed_;
};

}  // namespace

ChosenLayout best_layout(RowCounter& counter, const RowWalk& walk, LayoutSet allowed, Int enough,
                         Int too_many) {
  const bool hwc = walk.planes && allowed.contains(LayoutKind::hwc);
  const bool aligned = allowed.contains(LayoutKind::row_aligned);
  Chooser chooser(counter, walk);
  if (allowed.contains(LayoutKind::sequential) || (!hwc && !aligned)) chooser.list({});
  if (hwc) chooser.list({.kind = LayoutKind::hwc});
  if (aligned)
    chooser.list(
        {.kind = LayoutKind::row_aligned, .block_height = 1, .block_width = walk.planes ? walk.size[3] : 1});
  if (aligned && walk.planes) chooser.list_blocks();
  return chooser.best(enough, too_many);
}

}  // namespace nestor::pim

#include "model/pim/rows/layout_choice.h"

#include <limits>

namespace nestor::pim {
namespace {

class Chooser {
 public:
  Chooser(RowCounter& counter, const RowWalk& walk, Int enough)
      : counter_(counter), walk_(walk), enough_(enough) {}

  void consider(const Layout& layout) {
    if (done()) return;
    const Int activations = counter_.count(walk_, layout);
    if (activations < best_.activations) best_ = {layout, activations};
  }
  // The blocks that cut a plane: height and width divide it, and cut it both ways.
  void consider_blocks() {
    for (Int height = 2; height <= walk_.size[2] && !done(); ++height) {
      if (walk_.size[2] % height != 0) continue;
      for (Int width = 1; width < walk_.size[3] && !done(); ++width)
        if (walk_.size[3] % width == 0) consider({LayoutKind::row_aligned, height, width});
    }
  }
  ChosenLayout best() const { return best_; }

 private:
  bool done() const { return best_.activations <= enough_; }

  RowCounter& counter_;
  const RowWalk& walk_;
  Int enough_;
  ChosenLayout best_{.layout = {}, .activations = std::numeric_limits<Int>::max()};
};

}  // namespace

ChosenLayout best_layout(RowCounter& counter, const RowWalk& walk, LayoutSet allowed, Int enough) {
  const bool planes = walk.operand != Operand::W;
  const bool hwc = planes && allowed.contains(LayoutKind::hwc);
  const bool aligned = allowed.contains(LayoutKind::row_aligned);
  Chooser chooser(counter, walk, enough);
  if (allowed.contains(LayoutKind::sequential) || (!hwc && !aligned)) chooser.consider({});
  if (hwc) chooser.consider({.kind = LayoutKind::hwc});
  if (!aligned) return chooser.best();
  chooser.consider(
      {.kind = LayoutKind::row_aligned, .block_height = 1, .block_width = planes ? walk.size[3] : 1});
  if (planes) chooser.consider_blocks();
  return chooser.best();
}

}  // namespace nestor::pim

#include "io/onnx/chip/source.h"

#include <algorithm>

namespace nestor::io::chip_onnx {
namespace {

using onnx_import::Shape;

Int extent_along(const std::vector<Axis>& axes, Along along) {
  Int product = 1;
  for (const Axis& axis : axes) {
    if (axis.along == along) product *= axis.extent;
  }
  return product;
}

// Returns the distance between the first and the last element of one row.
Int span_of_row(const std::vector<Axis>& axes) {
  Int span = 0;
  for (const Axis& axis : axes) {
    if (axis.along != Along::rows) span += (axis.extent - 1) * axis.stride;
  }
  return span;
}

const Axis* row_axis(const std::vector<Axis>& axes) {
  const Axis* found = nullptr;
  for (const Axis& axis : axes) {
    if (axis.along != Along::rows || axis.extent == 1) continue;
    if (found != nullptr) return nullptr;
    found = &axis;
  }
  return found;
}

bool several_row_axes(const std::vector<Axis>& axes) {
  return std::count_if(axes.begin(), axes.end(),
                       [](const Axis& a) { return a.along == Along::rows && a.extent > 1; }) > 1;
}

// True if the axes form one block without gaps.
bool mergeable(const std::vector<Axis>& axes) {
  for (std::size_t i = 0; i + 1 < axes.size(); ++i) {
    if (axes[i].stride != axes[i + 1].extent * axes[i + 1].stride) return false;
  }
  return true;
}

// Assigns directions and strides to the axes `to`, which cover the same elements as the axes `from`. The
// direction is the common direction of all axes in `from`, or rows if rows and pixels merge into one axis. If
// rows are split into two axes, the inner axis has the direction of pixels. Returns false if strides or
// directions cannot express the change.
bool redistribute(const std::vector<Axis>& from, std::vector<Axis>& to) {
  const bool equal = from.size() == to.size() &&
                     std::equal(from.begin(), from.end(), to.begin(),
                                [](const Axis& a, const Axis& b) { return a.extent == b.extent; });
  if (equal) {
    to = from;
    return true;
  }
  if (!mergeable(from)) return false;
  Int stride = from.back().stride;
  for (std::size_t i = to.size(); i-- > 0;) {
    to[i].stride = stride;
    stride *= to[i].extent;
  }
  const Along first = from.front().along;
  const bool agree = std::all_of(from.begin(), from.end(), [&](const Axis& a) { return a.along == first; });
  const bool no_channels =
      std::none_of(from.begin(), from.end(), [](const Axis& a) { return a.along == Along::channels; });
  if (!agree && (!no_channels || to.size() > 1)) return false;
  for (Axis& axis : to) axis.along = agree ? first : Along::rows;
  if (first == Along::rows && to.size() == 2) to[1].along = Along::width;
  return first != Along::rows || to.size() <= 2;
}

}  // namespace

PixelShape Source::shape() const {
  return {extent_along(axes, Along::rows), extent_along(axes, Along::width),
          extent_along(axes, Along::channels)};
}

chip::Need Source::need() const {
  const chip::Need all = {0, made.rows - 1, 1};
  if (scrambled || several_row_axes(axes)) return all;
  const Axis* rows = row_axis(axes);
  const Int last = first + span_of_row(axes);
  const Int row = made.row();
  if (rows == nullptr) return {0, last / row, 1};
  if (rows->stride % row == 0) return {rows->stride / row, last / row, 1};
  return {rows->stride, last, row};
}

bool Source::keeps_pixels() const {
  if (scrambled || several_row_axes(axes) || first >= made.channels) return false;
  const PixelShape seen = shape();
  if (seen.rows != made.rows || seen.width != made.width) return false;
  return std::all_of(axes.begin(), axes.end(), [&](const Axis& axis) {
    if (axis.extent == 1) return true;
    if (axis.along == Along::rows) return axis.stride == made.row();
    return axis.along == Along::width ? axis.stride == made.channels && axis.extent == made.width
                                      : axis.stride < made.channels;
  });
}

std::optional<chip::View> Source::view() const {
  const PixelShape seen = shape();
  if (scrambled) return std::nullopt;
  // In the order rows, pixels, channels, the strides must be those of a contiguous tensor.
  std::vector<Axis> ordered;
  for (const Along along : {Along::rows, Along::width, Along::channels}) {
    for (const Axis& axis : axes) {
      if (axis.along == along && axis.extent > 1) ordered.push_back(axis);
    }
  }
  Int stride = 1;
  for (std::size_t i = ordered.size(); i-- > 0;) {
    if (ordered[i].stride != stride) return std::nullopt;
    stride *= ordered[i].extent;
  }
  const bool plain =
      first == 0 && seen.rows == made.rows && seen.width == made.width && seen.channels == made.channels;
  if (plain) return chip::View{};
  return chip::View{seen.rows, seen.width, seen.channels, first};
}

std::vector<Along> usual_axes(std::size_t rank) {
  switch (rank) {
    case 0:
      return {};
    case 1:
      return {Along::channels};
    case 2:
      return {Along::rows, Along::channels};
    case 3:
      return {Along::nothing, Along::rows, Along::channels};
    default:
      break;
  }
  std::vector<Along> along(rank, Along::width);
  along[0] = Along::nothing;
  along[1] = Along::channels;
  along[2] = Along::rows;
  return along;
}

Source plain_source(std::size_t tensor, const Shape& shape, const std::vector<Along>& along) {
  Source made;
  made.tensor = tensor;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    made.axes.push_back(
        {shape[i], 0, shape[i] == 1 && along[i] == Along::nothing ? Along::nothing : along[i]});
  }
  made.made = made.shape();
  Int stride = 1;
  for (const Along each : {Along::channels, Along::width, Along::rows}) {
    for (std::size_t i = shape.size(); i-- > 0;) {
      if (made.axes[i].along != each) continue;
      made.axes[i].stride = stride;
      stride *= made.axes[i].extent;
    }
  }
  return made;
}

Source reordered(const Source& source, const Shape& shape) {
  Source made = source;
  made.scrambled = true;
  made.flat.clear();
  made.axes.clear();
  const auto along = usual_axes(shape.size());
  for (std::size_t i = 0; i < shape.size(); ++i) made.axes.push_back({shape[i], 0, along[i]});
  return made;
}

// Returns a source for a reshape that strides cannot express. Its `flat` axes preserve the order of the
// elements.
Source reshuffled(const Source& source, const Shape& shape) {
  Source made = reordered(source, shape);
  made.flat = source.scrambled ? source.flat : source.axes;
  return made;
}

Source reshaped(const Source& source, const Shape& shape) {
  std::vector<Axis> from;
  for (const Axis& axis : source.axes) {
    if (axis.extent > 1) from.push_back(axis);
  }
  if (source.scrambled) return reshuffled(source, shape);
  Source made = source;
  made.axes.assign(shape.size(), Axis{});
  std::size_t at = 0;
  for (std::size_t i = 0; i < shape.size();) {
    if (shape[i] == 1) {
      ++i;
      continue;
    }
    // Finds the smallest groups of old and new axes with equally many elements.
    std::vector<Axis> block;
    std::vector<std::size_t> targets = {i};
    Int wanted = shape[i++];
    Int have = 1;
    while (have != wanted) {
      if (have < wanted) {
        if (at == from.size()) return reshuffled(source, shape);
        block.push_back(from[at]);
        have *= from[at++].extent;
      } else {
        while (i < shape.size() && shape[i] == 1) ++i;
        if (i == shape.size()) return reshuffled(source, shape);
        targets.push_back(i);
        wanted *= shape[i++];
      }
    }
    std::vector<Axis> axes;
    for (const std::size_t target : targets) axes.push_back({shape[target], 0, Along::nothing});
    if (!redistribute(block, axes)) return reshuffled(source, shape);
    for (std::size_t k = 0; k < targets.size(); ++k) made.axes[targets[k]] = axes[k];
  }
  return made;
}

Source transposed(const Source& source, const std::vector<Int>& order) {
  Source made = source;
  made.flat.clear();
  for (std::size_t i = 0; i < order.size(); ++i)
    made.axes[i] = source.axes[static_cast<std::size_t>(order[i])];
  return made;
}

Source sliced(const Source& source, std::size_t axis, Int start, Int step, Int extent) {
  Source made = source;
  made.flat.clear();
  made.first += start * source.axes[axis].stride;
  made.axes[axis].stride *= step;
  made.axes[axis].extent = extent;
  return made;
}

Source without_axis(const Source& source, std::size_t axis) {
  Source made = source;
  made.axes.erase(made.axes.begin() + static_cast<std::ptrdiff_t>(axis));
  return made;
}

chip::Need composed(const chip::Need& outer, const chip::Need& inner) {
  if (outer.c != 1) return outer;  // no operator has such a need
  return {inner.a * outer.a, inner.a * outer.b + inner.b, inner.c};
}

}  // namespace nestor::io::chip_onnx

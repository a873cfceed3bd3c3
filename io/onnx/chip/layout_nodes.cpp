// Conversion of nodes that only rename or reorder elements. They create no operator; operators that read
// their outputs access the source directly.
#include <algorithm>

#include "io/onnx/chip/extractor.h"

namespace nestor::io::chip_onnx {

using onnx_import::fully_known;
using onnx_import::no_tensor;

void Extractor::copy(NodeView& node) {
  const Source* from = source(node, 0);
  if (from == nullptr) return;
  if (node.output(0) == no_tensor) return;
  const bool array =
      folded_into_array(node, 0) && (node.node().op == "Identity" || node.node().op == "Dropout");
  set_source(node, 0, *from);
  arrays_[node.output(0)] = array;
}

void Extractor::reshape(NodeView& node) {
  const Source* from = source(node, 0);
  const Shape* shape = output_shape(node);
  if (from != nullptr && shape != nullptr) set_source(node, 0, reshaped(*from, *shape));
}

void Extractor::transpose(NodeView& node) {
  const Source* from = source(node, 0);
  if (from == nullptr) return;
  std::vector<Int> order;
  for (std::size_t i = from->axes.size(); i-- > 0;) order.push_back(static_cast<Int>(i));
  if (const auto stated = node.integers("perm")) order = *stated;
  // The shape rule has already checked that the order is a permutation.
  if (order.size() == from->axes.size()) set_source(node, 0, transposed(*from, order));
}

void Extractor::slice(NodeView& node) {
  const Source* from = source(node, 0);
  const Shape* shape = output_shape(node);
  if (from == nullptr || shape == nullptr || shape->size() != from->axes.size()) return;
  const bool old = node.has("starts");
  const auto values = [&](const char* name, std::size_t input) {
    return old ? node.integers(name) : node.integers_input(input);
  };
  const auto starts = values("starts", 1);
  auto axes = values("axes", 3);
  auto steps = old ? std::nullopt : node.integers_input(4);
  if (!starts) return set_source(node, 0, reordered(*from, *shape));
  const std::size_t count = starts->size();
  if (!axes) {
    axes.emplace();
    for (std::size_t i = 0; i < count; ++i) axes->push_back(static_cast<Int>(i));
  }
  if (!steps) steps = std::vector<Int>(count, 1);
  if (axes->size() != count || steps->size() != count)
    return node.fail("its starts, axes and steps differ in number");
  Source made = *from;
  for (std::size_t i = 0; i < count; ++i) {
    const auto axis = node.axis((*axes)[i], shape->size());
    if (!axis) return;
    const Int extent = from->axes[*axis].extent;
    const Int step = (*steps)[i];
    if (step < 1 || step > extent) {
      if (step < 1 || (*shape)[*axis] != 1) return set_source(node, 0, reordered(*from, *shape));
    }
    Int start = std::max((*starts)[i], -extent);
    if (start < 0) start += extent;
    made = sliced(made, *axis, std::min(start, extent - 1), std::min(step, extent), (*shape)[*axis]);
  }
  set_source(node, 0, std::move(made));
}

void Extractor::gather(NodeView& node) {
  const Source* from = source(node, 0);
  const Shape* shape = output_shape(node);
  if (from == nullptr || shape == nullptr) return anything(node);  // an activation indexes a constant table
  const auto indices = node.integers_input(1);
  const auto axis = node.axis(node.integer("axis", 0), from->axes.size());
  if (!axis) return;
  const Shape* index_shape = node.shape(1);
  if (!indices || indices->size() != 1 || index_shape == nullptr || index_shape->size() > 1) {
    return set_source(node, 0, reordered(*from, *shape));
  }
  const Int extent = from->axes[*axis].extent;
  const Int index = indices->front() < 0 ? indices->front() + extent : indices->front();
  if (index < 0 || index >= extent) return node.fail("its index is outside its axis");
  const Source one = sliced(*from, *axis, index, 1, 1);
  set_source(node, 0, index_shape->empty() ? without_axis(one, *axis) : one);
}

void Extractor::split(NodeView& node) {
  const Source* from = source(node, 0);
  if (from == nullptr) return;
  const auto axis = node.axis(node.integer("axis", 0), from->axes.size());
  if (!axis) return;
  const Source whole = *from;
  Int start = 0;
  for (std::size_t i = 0; i < node.output_count(); ++i) {
    if (node.output(i) == no_tensor) return;
    const auto& shape = graph_.tensors[node.output(i)].shape;
    if (!shape || !fully_known(*shape) || shape->size() != whole.axes.size()) {
      return node.fail("the shapes of its results are not known");
    }
    const Int extent = (*shape)[*axis];
    if (extent < 1 || start + extent > whole.axes[*axis].extent)
      return node.fail("its parts are empty or too long");
    set_source(node, i, sliced(whole, *axis, start, 1, extent));
    start += extent;
  }
}

}  // namespace nestor::io::chip_onnx

#include "io/onnx/program_kernels.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "io/onnx/product.h"
#include "io/onnx/window.h"
#include "model/cnm/kernel_program.h"

namespace nestor::io::onnx_import {
namespace {

using cnm::AffineExpr;
using cnm::Op;
using cnm::RegionStep;
using Kind = RegionStep::Kind;

class KernelBuilder {
 public:
  KernelBuilder(NodeView& node, const std::vector<bool>& is_weight, const ElementChoice& choice)
      : node_(node), is_weight_(is_weight), choice_(choice) {}

  std::optional<NodeKernel> run();

 private:
  using Dims = std::vector<std::size_t>;
  std::size_t dim(Int extent, bool reduced = false) {
    auto& kernel = made_.kernel;
    kernel.extents.push_back(extent);
    kernel.reduction.push_back(reduced);
    return kernel.extents.size() - 1;
  }
  // Returns the index map of an operand with these dims. A dim that the kernel does not have becomes the
  // index 0.
  std::vector<AffineExpr> terms(const Dims& dims) const {
    const std::size_t count = made_.kernel.extents.size();
    std::vector<AffineExpr> map;
    for (const std::size_t d : dims) {
      map.push_back({std::vector<Int>(count, 0), 0});
      if (d < count) map.back().factors[d] = 1;
    }
    return map;
  }
  void operand(std::size_t input, std::vector<AffineExpr> map) {
    const TensorId id = node_.node().inputs[input];
    add_operand(fmt::format("in{}", made_.inputs.size()), element(id), *node_.shape(input), std::move(map));
    made_.inputs.push_back(id);
  }
  void output(const Dims& dims, bool reads) {
    Shape shape;
    for (const std::size_t d : dims) shape.push_back(made_.kernel.extents[d]);
    auto type = element(node_.output(0));
    if (reads && choice_.bits && !choice_.elements)
      type = integer_of(choice_.bits->partial_sum).value_or(cnm::Type::i64);
    add_operand("out", type, std::move(shape), terms(dims));
    made_.kernel.operands.back().output = true;
    made_.kernel.operands.back().read = reads;
  }
  void add_operand(std::string name, cnm::Type type, Shape shape, std::vector<AffineExpr> map) {
    made_.kernel.operands.push_back({std::move(name), type, std::move(shape), std::move(map), false, false});
  }
  cnm::Type element(TensorId id) {
    const auto type = element_of(node_.graph().tensors[id], is_weight_[id], choice_);
    known_ = known_ && type.has_value();
    return type.value_or(cnm::Type::f32);
  }
  std::size_t step(Op op, std::vector<std::size_t> arguments) {
    auto& kernel = made_.kernel;
    const auto type = kernel.operands.back().type;
    kernel.region.push_back(
        {Kind::operation, op, type, std::string(cnm::arith_text(op, type)), std::move(arguments)});
    return kernel.operands.size() + kernel.region.size() - 1;
  }
  std::size_t constant(std::string number) {
    auto& kernel = made_.kernel;
    const auto type = kernel.operands.back().type;
    if (cnm::is_real(type) && number.find_first_of(".e") == std::string::npos) number += ".0";
    kernel.region.push_back({Kind::constant, Op::move, type, std::move(number), {}});
    return kernel.operands.size() + kernel.region.size() - 1;
  }
  void multiply_and_add() {
    auto& kernel = made_.kernel;
    const auto left = kernel.operands[0].type, right = kernel.operands[1].type, sum = kernel.operands[2].type;
    auto types = cnm::ProductTypes::all(sum);
    if (choice_.bits && !choice_.elements) {
      const auto product =
          integer_of(2 * std::max(choice_.bits->input, choice_.bits->weight)).value_or(cnm::Type::i64);
      types = {left, right, std::min(product, sum), sum};
      kernel.multiply_k = std::min(choice_.bits->input, choice_.bits->weight) - 1;
    }
    const auto pattern = cnm::matrix_product("", 1, 2, 2, 2, types);
    kernel.region = pattern.region;
    kernel.yields = pattern.yields;
  }

  bool convolution();
  bool pooling(bool global);
  bool product(bool gemm);
  bool elementwise(Op op);
  bool relu();
  bool normalisation();
  bool reduction();
  bool all_known(std::size_t inputs);
  void window(std::size_t count, const Shape& image, const Window& window);
  std::vector<AffineExpr> windowed(const Dims& places, const Dims& windows, const Window& window) const;

  NodeView& node_;
  const std::vector<bool>& is_weight_;
  const ElementChoice& choice_;
  NodeKernel made_;
  bool known_ = true;
};

// True if all extents of the inputs and of the output are known, positive, and small enough that their sums
// cannot overflow.
bool KernelBuilder::all_known(std::size_t inputs) {
  const auto is_known = [](const Shape& shape) {
    return std::all_of(shape.begin(), shape.end(),
                       [](Int extent) { return extent >= 1 && extent <= (Int{1} << 31); });
  };
  for (std::size_t i = 0; i < inputs; ++i)
    if (node_.shape(i) == nullptr || !is_known(*node_.shape(i))) return false;
  const TensorId made = node_.output(0);
  if (made == no_tensor) return false;
  const auto& shape = node_.graph().tensors[made].shape;
  return shape && is_known(*shape) && shape->size() <= cnm::max_dims;
}

std::vector<AffineExpr> KernelBuilder::windowed(const Dims& places, const Dims& windows,
                                                const Window& window) const {
  auto map = terms(places);
  for (std::size_t i = 0; i < map.size(); ++i) {
    map[i].factors[places[i]] = window.stride[i];
    map[i].factors[windows[i]] = window.dilation[i];
  }
  return map;
}

// Sets the extents of the image that the kernel accesses, including its pads.
void KernelBuilder::window(std::size_t operand, const Shape& image, const Window& window) {
  cnm::extend_by_pads(made_.kernel.operands[operand], image, window.pads, made_.kernel.extents);
  made_.pads = window.pads;
}

// Builds linalg.conv_2d_nchw_fchw, conv_2d_ngchw_gfchw or depthwise_conv_2d_nchw_chw, or its 1-D counterpart.
bool KernelBuilder::convolution() {
  if (!all_known(2)) return false;
  const Shape image = *node_.shape(0), weights = *node_.shape(1);
  if (weights.size() < 3 || weights.size() > 4) return false;
  const std::vector<Int> extents(weights.begin() + 2, weights.end());
  const auto found = sliding_window(node_, image, extents);
  const Int groups = node_.integer("group", 1);
  if (!found || groups < 1 || weights[0] % groups != 0 || image[1] % groups != 0 ||
      image[1] / groups != weights[1])
    return false;
  const Int filters = weights[0] / groups, channels = weights[1];
  const bool grouped = groups > 1, depthwise = grouped && filters == 1 && channels == 1;
  const auto n = dim(image[0]);
  Dims g, f, c, places, windows;
  if (grouped) g = {dim(groups)};
  if (!depthwise) f = {dim(filters)};
  for (const Int extent : found->output) places.push_back(dim(extent));
  if (!depthwise) c = {dim(channels, true)};
  for (const Int extent : extents) windows.push_back(dim(extent, true));
  const auto joined = [](std::initializer_list<Dims> parts) {
    Dims all;
    for (const Dims& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
  };
  const auto extents_of = [&](const Dims& dims) {
    Shape shape;
    for (const std::size_t d : dims) shape.push_back(made_.kernel.extents[d]);
    return shape;
  };
  auto image_map = terms(joined({{n}, g, c}));
  const auto moved = windowed(places, windows, *found);
  image_map.insert(image_map.end(), moved.begin(), moved.end());
  operand(0, std::move(image_map));
  made_.kernel.operands[0].dims = extents_of(joined({{n}, g, c, places}));
  const Dims weight_dims = joined({g, f, c, windows});
  operand(1, terms(weight_dims));
  made_.kernel.operands[1].dims = extents_of(weight_dims);
  output(joined({{n}, g, f, places}), true);
  // The extents are those of the image, not of the output positions.
  const std::size_t rank = made_.kernel.operands[0].dims.size();
  for (std::size_t i = 0; i < extents.size(); ++i)
    made_.kernel.operands[0].dims[rank - extents.size() + i] = image[2 + i];
  window(0, made_.kernel.operands[0].dims, *found);
  multiply_and_add();
  return true;
}

// Builds linalg.pooling_nchw_sum or _max. The division of a mean is omitted.
bool KernelBuilder::pooling(bool global) {
  if (!all_known(1) || node_.output_count() > 1) return false;
  const Shape image = *node_.shape(0);
  if (image.size() < 3 || image.size() > 5) return false;
  Window found;
  if (global) {
    found.kernel.assign(image.begin() + 2, image.end());
    found.stride = found.dilation = found.output = std::vector<Int>(found.kernel.size(), 1);
    found.pads.assign(2 * found.kernel.size(), 0);
  } else {
    auto stated = node_.integers("kernel_shape");
    if (!stated || stated->size() + 2 != image.size()) return false;
    const auto window = sliding_window(node_, image, std::move(*stated));
    if (!window) return false;
    found = *window;
  }
  Dims outer = {dim(image[0]), dim(image[1])}, places, windows;
  for (const Int extent : found.output) places.push_back(dim(extent));
  for (const Int extent : found.kernel) windows.push_back(dim(extent, true));
  if (made_.kernel.extents.size() > cnm::max_dims) return false;
  auto map = terms(outer);
  const auto moved = windowed(places, windows, found);
  map.insert(map.end(), moved.begin(), moved.end());
  operand(0, std::move(map));
  window(0, image, found);
  outer.insert(outer.end(), places.begin(), places.end());
  output(outer, true);
  const bool largest = node_.node().op.find("Max") != std::string::npos;
  made_.kernel.yields = {step(largest ? Op::max : Op::add, {0, 1})};
  return true;
}

// Builds linalg.matmul, or batch_matmul if the right operand has a matrix for each matrix of the left
// operand.
bool KernelBuilder::product(bool gemm) {
  if (!all_known(2)) return false;
  const Shape left = *node_.shape(0), right = *node_.shape(1);
  const auto found = gemm ? gemm_product(node_, left, right) : matrix_product(node_, left, right);
  if (!found) return false;
  const bool shared = std::all_of(found->right_batch.begin(), found->right_batch.end(),
                                  [](Int extent) { return extent == 1; });
  std::optional<Int> batch = 1;
  for (const Int extent : found->batch) batch = batch ? checked_multiply(*batch, extent) : batch;
  const auto left_count = element_count(left), one = checked_multiply(found->rows, found->depth);
  const auto rows = batch ? checked_multiply(found->rows, *batch) : batch;
  if (!batch || !rows || !left_count || !one) return false;
  // linalg has no product whose left operand repeats along the batch, or whose right operand repeats along
  // part of it.
  if (checked_multiply(*one, *batch) != left_count || (!shared && found->batch != found->right_batch))
    return false;
  Dims b;
  if (!shared) b = {dim(*batch)};
  const auto m = dim(shared ? *rows : found->rows), n = dim(found->columns), k = dim(found->depth, true);
  const bool turned_left = gemm && node_.integer("transA", 0) != 0;
  const bool turned_right = gemm && node_.integer("transB", 0) != 0;
  const auto with_batch = [&](std::size_t first, std::size_t second, bool turned) {
    Dims dims = b;
    dims.push_back(turned ? second : first);
    dims.push_back(turned ? first : second);
    return dims;
  };
  const std::array walked = {with_batch(m, k, turned_left), with_batch(k, n, turned_right)};
  for (std::size_t i = 0; i < 2; ++i) {
    operand(i, terms(walked[i]));
    made_.kernel.operands[i].dims.clear();
    for (const std::size_t d : walked[i]) made_.kernel.operands[i].dims.push_back(made_.kernel.extents[d]);
  }
  output(with_batch(m, n, false), true);
  multiply_and_add();
  return true;
}

// Builds an elementwise operation. Inputs are broadcast to the shape of the output; a constant with one
// element becomes a constant of the region.
bool KernelBuilder::elementwise(Op op) {
  const std::size_t inputs = node_.input_count();
  if (inputs < 2 || !all_known(inputs)) return false;
  const Shape& shape = *node_.graph().tensors[node_.output(0)].shape;
  if (shape.empty()) return false;
  Dims dims;
  for (const Int extent : shape) dims.push_back(dim(extent));
  std::vector<std::size_t> named;
  std::vector<std::string> numbers;
  for (std::size_t i = 0; i < inputs; ++i) {
    const Shape& given = *node_.shape(i);
    const Constant* const value = node_.constant(i);
    if (value != nullptr && value->size() == 1) {
      named.push_back(inputs);
      numbers.push_back(value->real ? fmt::format("{}", value->reals[0])
                                    : fmt::format("{}", value->integers[0]));
      continue;
    }
    if (given.size() > shape.size()) return false;
    Dims walked;
    for (std::size_t d = 0; d < given.size(); ++d) {
      const std::size_t at = shape.size() - given.size() + d;
      walked.push_back(given[d] == shape[at] ? dims[at] : cnm::max_dims);
    }
    // An input that is given twice is one operand.
    const auto again = std::find(made_.inputs.begin(), made_.inputs.end(), node_.node().inputs[i]);
    named.push_back(static_cast<std::size_t>(again - made_.inputs.begin()));
    numbers.emplace_back();
    if (again == made_.inputs.end()) operand(i, terms(walked));
  }
  if (made_.inputs.empty()) return false;
  output(dims, false);
  const auto value_of = [&](std::size_t i) { return named[i] == inputs ? constant(numbers[i]) : named[i]; };
  std::size_t result = value_of(0);
  for (std::size_t i = 1; i < inputs; ++i) {
    const std::size_t other = value_of(i);
    result = step(op, {result, other});
  }
  made_.kernel.yields = {result};
  return true;
}

bool KernelBuilder::relu() {
  if (!all_known(1) || node_.shape(0)->empty()) return false;
  Dims dims;
  for (const Int extent : *node_.shape(0)) dims.push_back(dim(extent));
  operand(0, terms(dims));
  output(dims, false);
  const auto zero = constant("0");
  made_.kernel.yields = {step(Op::max, {0, zero})};
  return true;
}

// Builds x * factor + term, with one factor and one term per channel.
bool KernelBuilder::normalisation() {
  if (node_.input_count() < 3 || !all_known(3) || node_.shape(0)->size() < 2 || node_.output_count() > 1)
    return false;
  for (std::size_t i = 1; i <= 2; ++i)
    if (*node_.shape(i) != Shape{(*node_.shape(0))[1]}) return false;
  Dims dims;
  for (const Int extent : *node_.shape(0)) dims.push_back(dim(extent));
  operand(0, terms(dims));
  operand(1, terms({dims[1]}));
  operand(2, terms({dims[1]}));
  output(dims, false);
  const auto product = step(Op::mul, {0, 1});
  made_.kernel.yields = {step(Op::add, {product, 2})};
  return true;
}

// Builds ReduceSum or ReduceMean. The division of a mean is omitted.
bool KernelBuilder::reduction() {
  if (!all_known(1)) return false;
  const Shape shape = *node_.shape(0);
  auto axes = node_.has("axes") ? node_.integers("axes") : node_.integers_input(1);
  if ((!axes && node_.input(1) != nullptr) || shape.empty() || shape.size() > cnm::max_dims) return false;
  const bool all = !axes || axes->empty();
  if (all && node_.integer("noop_with_empty_axes", 0) != 0) return false;
  std::vector<bool> reduced(shape.size(), all);
  for (const Int stated : axes.value_or(std::vector<Int>())) {
    const auto axis = node_.axis(stated, shape.size());
    if (!axis) return false;
    reduced[*axis] = true;
  }
  Dims dims, kept;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    dims.push_back(dim(shape[d], reduced[d]));
    if (!reduced[d]) kept.push_back(d);
  }
  operand(0, terms(dims));
  output(kept, true);
  made_.kernel.yields = {step(Op::add, {0, 1})};
  return true;
}

std::optional<NodeKernel> KernelBuilder::run() {
  const auto& op = node_.node().op;
  const auto made = [&] {
    if (op == "Conv") return convolution();
    if (op == "Gemm" || op == "MatMul") return product(op == "Gemm");
    if (op == "Add") return elementwise(Op::add);
    if (op == "Sub") return elementwise(Op::sub);
    if (op == "Mul") return elementwise(Op::mul);
    if (op == "Max") return elementwise(Op::max);
    if (op == "Min") return elementwise(Op::min);
    if (op == "Relu") return relu();
    if (op == "BatchNormalization") return normalisation();
    if (op == "MaxPool" || op == "AveragePool") return pooling(false);
    if (op == "GlobalMaxPool" || op == "GlobalAveragePool") return pooling(true);
    if (op == "ReduceSum" || op == "ReduceMean") return reduction();
    return false;
  }();
  if (!made || !known_ || !cnm::find_fault(made_.kernel).empty()) return std::nullopt;
  return std::move(made_);
}

}  // namespace

std::optional<NodeKernel> kernel_of_node(NodeView& node, const std::vector<bool>& is_weight,
                                         const ElementChoice& choice) {
  return KernelBuilder(node, is_weight, choice).run();
}

}  // namespace nestor::io::onnx_import

#include "mapper/cnm/convolution.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/checked.h"

namespace nestor::cnm {
namespace {

// An index that is a weighted sum of two dims: a dim of the output and a dim of the window.
struct Spatial {
  std::size_t place = 0, window = 0;
  Int stride = 1, dilation = 1;
};

struct Roles {
  std::vector<Spatial> spatial;
  bool sound = true;  ///< true if every index is a dim, or a weighted sum of an output dim and a window dim
};

Roles roles_of(const Kernel& kernel, const KernelOperand& operand) {
  Roles roles;
  std::vector<bool> used(kernel.dim_count(), false);
  for (const AffineExpr& expr : operand.map) {
    std::vector<std::size_t> dims;
    for (std::size_t d = 0; d < kernel.dim_count(); ++d)
      if (expr.factors[d] != 0) dims.push_back(d);
    bool sound = expr.constant == 0 && !dims.empty() && dims.size() <= 2;
    for (const std::size_t d : dims) {
      sound = sound && !used[d];
      used[d] = true;
    }
    if (sound && dims.size() == 2) {
      if (kernel.reduction[dims[0]]) std::swap(dims[0], dims[1]);
      sound = !kernel.reduction[dims[0]] && kernel.reduction[dims[1]];
      roles.spatial.push_back({dims[0], dims[1], expr.factors[dims[0]], expr.factors[dims[1]]});
    } else if (sound) {
      sound = expr.factors[dims[0]] == 1;
    }
    roles.sound = roles.sound && sound;
  }
  return roles;
}

// True if the region adds up products of two values, possibly with conversions.
bool adds_products(const Kernel& kernel) {
  std::size_t products = 0, sums = 0, others = 0;
  for (const RegionStep& step : kernel.region) {
    if (step.kind == RegionStep::Kind::convert) continue;
    if (step.kind == RegionStep::Kind::operation && step.op == Op::mul)
      ++products;
    else if (step.kind == RegionStep::Kind::operation && step.op == Op::add)
      ++sums;
    else
      ++others;
  }
  return products == 1 && sums == 1 && others == 0;
}

std::string token_of(const Kernel& kernel, const std::vector<Spatial>& spatial, std::vector<Int> pads) {
  std::string windows, strides, dilations;
  for (const Spatial& at : spatial) {
    windows += fmt::format("{},", kernel.extents[at.window]);
    strides += fmt::format("{},", at.stride);
    dilations += fmt::format("{},", at.dilation);
  }
  pads.resize(2 * spatial.size(), 0);
  return fmt::format("im2col:{}{}{}{}", windows, strides, dilations, fmt::join(pads, ","));
}

}  // namespace

std::optional<ConvolutionProduct> product_of_convolution(const Kernel& kernel, const std::vector<Int>& pads) {
  if (!kernel.library_call.empty() || kernel.operands.size() != 3 || kernel.operands[1].output ||
      !adds_products(kernel))
    return std::nullopt;
  const std::array roles = {roles_of(kernel, kernel.operands[0]), roles_of(kernel, kernel.operands[1]),
                            roles_of(kernel, kernel.operands[2])};
  for (const Roles& role : roles)
    if (!role.sound) return std::nullopt;
  const std::size_t image = roles[0].spatial.empty() ? 1 : 0;
  const auto& spatial = roles[image].spatial;
  if (spatial.empty() || !roles[1 - image].spatial.empty() || !roles[2].spatial.empty()) return std::nullopt;
  const KernelOperand &input = kernel.operands[image], &weights = kernel.operands[1 - image];
  Int groups = 1, filters = 1, places = 1, summed = 1;
  for (std::size_t d = 0; d < kernel.dim_count(); ++d) {
    const bool in_image = input.uses(d), in_weights = weights.uses(d);
    if (kernel.operands[2].uses(d) == kernel.reduction[d]) return std::nullopt;
    if (kernel.reduction[d] ? !in_image || !in_weights : !in_image && !in_weights) return std::nullopt;
    Int& extent = kernel.reduction[d] ? summed : !in_weights ? places : in_image ? groups : filters;
    extent *= kernel.extents[d];  // does not overflow, because the kernel has no fault
  }
  ConvolutionProduct product{kernel, {1 - image, image, 2}, {}, 0};
  Kernel& result = product.kernel;
  const std::size_t first = groups > 1 ? 1 : 0;
  result.extents = {filters, places, summed};
  if (first == 1) result.extents.insert(result.extents.begin(), groups);
  result.reduction.assign(result.extents.size(), false);
  result.reduction.back() = true;
  constexpr std::array<std::array<std::size_t, 2>, 3> walked = {{{0, 2}, {2, 1}, {0, 1}}};
  for (std::size_t i = 0; i < 3; ++i) {
    KernelOperand& operand = result.operands[i] = kernel.operands[product.origin[i]];
    operand.dims.clear();
    operand.map.clear();
    const auto walk = [&](std::size_t d) {
      operand.dims.push_back(result.extents[d]);
      operand.map.push_back({std::vector<Int>(result.extents.size(), 0), 0});
      operand.map.back().factors[d] = 1;
    };
    if (first == 1) walk(0);
    for (const std::size_t d : walked[i]) walk(first + d);
  }
  for (RegionStep& step : result.region)
    for (std::size_t& argument : step.arguments)
      if (argument < 2 && image == 0) argument = 1 - argument;
  const bool as_it_is = std::all_of(spatial.begin(), spatial.end(), [&](const Spatial& at) {
    return kernel.extents[at.window] == 1 && at.stride == 1;
  });
  const bool padded = std::any_of(pads.begin(), pads.end(), [](Int pad) { return pad != 0; });
  if (!as_it_is || padded) product.token = token_of(kernel, spatial, pads);
  Int bytes = bytes_of(input.type);
  for (const Int extent : result.operands[1].dims) {
    const auto more = checked_multiply(bytes, extent);
    if (!more || *more > max_count) return std::nullopt;
    bytes = *more;
  }
  product.bytes = bytes;
  return product;
}

}  // namespace nestor::cnm

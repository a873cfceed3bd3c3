#include "model/cnm/kernel.h"

#include <fmt/format.h>

namespace nestor::cnm {

bool KernelOperand::uses(std::size_t dim) const {
  for (const AffineExpr& expr : map)
    if (expr.factors[dim] != 0) return true;
  return false;
}

Int reach(const AffineExpr& expr, const std::vector<Int>& extents) {
  Int last = 0;
  for (std::size_t d = 0; d < extents.size(); ++d) last += expr.factors[d] * (extents[d] - 1);
  return last + 1;
}

bool is_reduced(const Kernel& kernel, const KernelOperand& operand) {
  for (std::size_t d = 0; d < kernel.dim_count(); ++d)
    if (kernel.reduction[d] && !operand.uses(d)) return true;
  return false;
}

std::string find_fault(const Kernel& kernel) {
  if (kernel.extents.empty()) return "an operation without dims";
  if (kernel.extents.size() > max_dims)
    return fmt::format("{} dims, expected at most {}", kernel.extents.size(), max_dims);
  Int points = 1;
  for (std::size_t d = 0; d < kernel.extents.size(); ++d) {
    if (kernel.extents[d] < 1) return fmt::format("no operand says how far dim d{} goes", d);
    const auto product = checked_multiply(points, kernel.extents[d]);
    if (!product || *product > max_count) return "more iterations than can be counted";
    points = *product;
  }
  for (const KernelOperand& operand : kernel.operands) {
    if (!kernel.library_call.empty()) continue;
    for (std::size_t i = 0; i < operand.map.size(); ++i) {
      Int last = operand.map[i].constant;
      for (std::size_t d = 0; d < kernel.extents.size(); ++d) {
        if (operand.map[i].factors[d] < 0)
          return fmt::format("operand '{}' is walked backwards", operand.name);
        last += operand.map[i].factors[d] * (kernel.extents[d] - 1);
      }
      if (last >= operand.dims[i] || operand.map[i].constant < 0)
        return fmt::format("operand '{}' has {} elements in dim {}, its map reaches {}", operand.name,
                           operand.dims[i], i, last);
    }
  }
  return {};
}

Kernel matrix_product(const std::string& name, Int m, Int n, Int k, Type type) {
  Kernel kernel;
  kernel.name = name;
  const bool vector = n == 1;
  kernel.extents = vector ? std::vector<Int>{m, k} : std::vector<Int>{m, n, k};
  const std::size_t count = kernel.extents.size();
  kernel.reduction.assign(count, false);
  kernel.reduction[count - 1] = true;
  const auto dim = [&](std::size_t d) {
    AffineExpr expr{std::vector<Int>(count, 0), 0};
    expr.factors[d] = 1;
    return expr;
  };
  const std::size_t sum = count - 1;
  kernel.operands.push_back({"a", type, {m, k}, {dim(0), dim(sum)}, false, false});
  if (vector) {
    kernel.operands.push_back({"x", type, {k}, {dim(sum)}, false, false});
    kernel.operands.push_back({"y", type, {m}, {dim(0)}, true, true});
  } else {
    kernel.operands.push_back({"b", type, {k, n}, {dim(sum), dim(1)}, false, false});
    kernel.operands.push_back({"c", type, {m, n}, {dim(0), dim(1)}, true, true});
  }
  const bool real = type >= Type::f16 && type <= Type::f64;
  kernel.region = {{RegionStep::Kind::operation, Op::mul, type, real ? "mulf" : "muli", {0, 1}},
                   {RegionStep::Kind::operation, Op::add, type, real ? "addf" : "addi", {2, 3}}};
  kernel.yields = {4};
  return kernel;
}

}  // namespace nestor::cnm

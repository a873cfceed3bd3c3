#include "model/cnm/kernel.h"

#include <fmt/format.h>

#include <array>
#include <numeric>

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
  if (kernel.extents.empty()) return "the operation has no dims";
  if (kernel.extents.size() > max_dims)
    return fmt::format("found {} dims, expected at most {}", kernel.extents.size(), max_dims);
  Int points = 1;
  for (std::size_t d = 0; d < kernel.extents.size(); ++d) {
    if (kernel.extents[d] < 1) return fmt::format("no operand determines the extent of dim d{}", d);
    const auto product = checked_multiply(points, kernel.extents[d]);
    if (!product || *product > max_count) return "the number of iterations is too large";
    points = *product;
  }
  for (const KernelOperand& operand : kernel.operands) {
    if (!kernel.library_call.empty()) continue;
    for (std::size_t i = 0; i < operand.map.size(); ++i) {
      Int last = operand.map[i].constant;
      for (std::size_t d = 0; d < kernel.extents.size(); ++d) {
        if (operand.map[i].factors[d] < 0)
          return fmt::format("operand '{}' is accessed backwards", operand.name);
        last += operand.map[i].factors[d] * (kernel.extents[d] - 1);
      }
      if (last >= operand.dims[i] || operand.map[i].constant < 0)
        return fmt::format("operand '{}' has {} elements in dim {}, its map reaches {}", operand.name,
                           operand.dims[i], i, last);
    }
  }
  return {};
}

std::string_view arith_text(Op op, Type type) {
  struct Words {
    Op op;
    std::string_view of_integers, of_reals;
  };
  constexpr auto words = std::to_array<Words>({{Op::add, "addi", "addf"},
                                               {Op::sub, "subi", "subf"},
                                               {Op::mul, "muli", "mulf"},
                                               {Op::div, "divsi", "divf"},
                                               {Op::max, "maxsi", "maximumf"},
                                               {Op::min, "minsi", "minimumf"}});
  for (const Words& row : words)
    if (row.op == op) return is_real(type) ? row.of_reals : row.of_integers;
  return {};
}

Kernel with_elements(const Kernel& kernel, Type type) {
  Kernel typed = kernel;
  typed.region.clear();
  for (KernelOperand& operand : typed.operands) operand.type = type;
  std::vector<std::size_t> place(kernel.operands.size());  // new position of every value
  std::iota(place.begin(), place.end(), 0);
  for (RegionStep step : kernel.region) {
    for (std::size_t& argument : step.arguments) argument = place[argument];
    if (step.kind == RegionStep::Kind::convert) {
      place.push_back(step.arguments[0]);
      continue;
    }
    const bool real = is_real(type);
    if (step.kind == RegionStep::Kind::operation && real != is_real(step.type))
      if (const auto word = arith_text(step.op, type); !word.empty()) step.text = word;
    if (step.kind == RegionStep::Kind::constant && real && step.text.find('.') == std::string::npos)
      step.text += ".0";
    step.type = type;
    place.push_back(typed.operands.size() + typed.region.size());
    typed.region.push_back(std::move(step));
  }
  for (std::size_t& value : typed.yields) value = place[value];
  return typed;
}

Kernel matrix_product(const std::string& name, Int batch, Int m, Int n, Int k, const ProductTypes& types) {
  Kernel kernel;
  kernel.name = name;
  using Dims = std::vector<std::size_t>;
  const auto add_dim = [&kernel](Int extent) {
    kernel.extents.push_back(extent);
    return Dims{kernel.extents.size() - 1};
  };
  const Dims group = batch > 1 ? add_dim(batch) : Dims{};
  const Dims row = add_dim(m);
  const Dims column = n > 1 ? add_dim(n) : Dims{};
  const Dims sum = add_dim(k);
  const std::size_t count = kernel.extents.size();
  kernel.reduction.assign(count, false);
  kernel.reduction[sum[0]] = true;
  const auto add_operand = [&](const char* operand, Type type, bool output,
                               std::initializer_list<Dims> uses) {
    KernelOperand added{operand, type, {}, {}, output, output};
    for (const Dims& dims : uses)
      for (const std::size_t d : dims) {
        added.dims.push_back(kernel.extents[d]);
        added.map.push_back({std::vector<Int>(count, 0), 0});
        added.map.back().factors[d] = 1;
      }
    kernel.operands.push_back(std::move(added));
  };
  const bool vector = column.empty();
  add_operand("a", types.left, false, {group, row, sum});
  add_operand(vector ? "x" : "b", types.right, false, {group, sum, column});
  add_operand(vector ? "y" : "c", types.sum, true, {group, row, column});
  using Kind = RegionStep::Kind;
  const auto add_step = [&](Kind kind, Op op, Type type, const char* word,
                            std::vector<std::size_t> arguments) {
    kernel.region.push_back({kind, op, type, word, std::move(arguments)});
    return kernel.operands.size() + kernel.region.size() - 1;
  };
  const auto widened = [&](std::size_t value, Type from, Type to) {
    return from == to ? value : add_step(Kind::convert, Op::move, to, "extsi", {value});
  };
  const bool real = is_real(types.sum);
  const std::size_t left = widened(0, types.left, types.product);
  const std::size_t right = widened(1, types.right, types.product);
  const auto product =
      add_step(Kind::operation, Op::mul, types.product, real ? "mulf" : "muli", {left, right});
  const auto wide = widened(product, types.product, types.sum);
  kernel.yields = {add_step(Kind::operation, Op::add, types.sum, real ? "addf" : "addi", {wide, 2})};
  return kernel;
}

}  // namespace nestor::cnm

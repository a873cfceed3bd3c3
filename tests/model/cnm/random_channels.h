// Random kernels for HBM-PIM, and random maps of them with general streams.
#pragma once

#include <array>

#include "base/random.h"
#include "model/cnm/kernel.h"
#include "model/cnm/mapping.h"

namespace nestor::tests {

inline cnm::KernelOperand operand_over(const std::vector<Int>& extents, const std::vector<std::size_t>& dims,
                                       bool output) {
  cnm::KernelOperand operand;
  operand.name = "v";
  operand.type = cnm::Type::f16;
  operand.output = operand.read = output;
  for (const std::size_t d : dims) {
    cnm::AffineExpr expr{std::vector<Int>(extents.size(), 0), 0};
    expr.factors[d] = 1;
    operand.map.push_back(expr);
    operand.dims.push_back(extents[d]);
  }
  return operand;
}

/// Returns a kernel that adds products of inputs, or the inputs themselves. The output uses some dims; the
/// inputs together use all dims.
inline cnm::Kernel random_reduction(Random& random, Int most_extent) {
  using cnm::Op, cnm::RegionStep, cnm::Type;
  using Kind = RegionStep::Kind;
  cnm::Kernel kernel;
  kernel.name = "random";
  const auto dims = static_cast<std::size_t>(random.between(1, 3));
  std::vector<std::size_t> kept;
  for (std::size_t d = 0; d < dims; ++d) {
    kernel.extents.push_back(random.between(1, most_extent));
    kernel.reduction.push_back(d + 1 == dims || random.chance(0.3));
  }
  if (dims > 1 && random.chance(0.3)) {
    const bool first = kernel.reduction[0];
    kernel.reduction[0] = kernel.reduction[dims - 1];
    kernel.reduction[dims - 1] = first;
  }
  for (std::size_t d = 0; d < dims; ++d)
    if (!kernel.reduction[d]) kept.push_back(d);
  const bool product = random.chance(0.7);
  const std::size_t inputs = product || random.chance(0.4) ? 2 : 1;
  std::vector<std::vector<std::size_t>> uses(inputs);
  for (std::size_t d = 0; d < dims; ++d) {
    const std::size_t sure = random.below(inputs);
    for (std::size_t i = 0; i < inputs; ++i)
      if (i == sure || random.chance(0.5)) uses[i].push_back(d);
  }
  for (const auto& use : uses) kernel.operands.push_back(operand_over(kernel.extents, use, false));
  kernel.operands.push_back(operand_over(kernel.extents, kept, true));
  const auto step = [&](Op op, std::size_t a, std::size_t b) {
    kernel.region.push_back({Kind::operation, op, Type::f16, op == Op::mul ? "mulf" : "addf", {a, b}});
    return kernel.operands.size() + kernel.region.size() - 1;
  };
  std::size_t value = inputs;
  if (product) {
    value = step(Op::add, step(Op::mul, 0, 1), inputs);
  } else {
    for (std::size_t i = 0; i < inputs; ++i) value = step(Op::add, value, i);
  }
  kernel.yields = {value};
  return kernel;
}

/// Returns a kernel of operations on inputs and on earlier results, some with constants.
inline cnm::Kernel random_pointwise(Random& random, Int most_extent) {
  using cnm::Op, cnm::RegionStep, cnm::Type;
  using Kind = RegionStep::Kind;
  cnm::Kernel kernel;
  kernel.name = "random";
  const auto dims = static_cast<std::size_t>(random.between(1, 2));
  std::vector<std::size_t> all;
  for (std::size_t d = 0; d < dims; ++d) {
    kernel.extents.push_back(random.between(1, most_extent));
    kernel.reduction.push_back(false);
    all.push_back(d);
  }
  const auto inputs = static_cast<std::size_t>(random.between(1, 3));
  for (std::size_t i = 0; i < inputs; ++i)
    kernel.operands.push_back(operand_over(kernel.extents, all, false));
  kernel.operands.push_back(operand_over(kernel.extents, all, true));
  kernel.operands.back().read = false;
  std::vector<std::size_t> values;
  for (std::size_t i = 0; i < inputs; ++i) values.push_back(i);
  const auto add = [&](RegionStep step) {
    kernel.region.push_back(std::move(step));
    return kernel.operands.size() + kernel.region.size() - 1;
  };
  const std::size_t zero = add({Kind::constant, Op::move, Type::f16, "0.0", {}});
  const std::size_t three = add({Kind::constant, Op::move, Type::f16, "3.0", {}});
  std::size_t last = 0;
  for (auto steps = random.between(0, 4); steps > 0; --steps) {
    const auto any = [&] { return values[random.below(values.size())]; };
    constexpr std::array<Op, 4> ops = {Op::add, Op::sub, Op::mul, Op::max};
    const Op op = ops[random.below(4)];
    const std::size_t a = any(), b = op == Op::max ? zero : random.chance(0.2) ? three : any();
    last = add({Kind::operation, op, Type::f16, "addf", {a, b}});
    values.push_back(last);
  }
  kernel.yields = {last};
  return kernel;
}

/// Returns a map with a random cut, block and order, and random values of the HBM-PIM keys. It may break a
/// rule.
inline cnm::CnmMap random_channel_map(Random& random, const cnm::Kernel& kernel, bool reduction) {
  cnm::CnmMap map;
  const std::size_t dims = kernel.dim_count();
  map.tuples.assign(4, std::vector<Int>(dims, 1));
  for (auto cuts = random.between(0, 10); cuts > 0; --cuts) {
    auto& tuple = map.tuples[random.below(3)];
    tuple[random.below(dims)] *= random.chance(0.9) ? 2 : 3;
  }
  if (reduction && random.chance(0.8)) {
    map.block.assign(dims, 1);
    for (Int& block : map.block) block = std::array<Int, 6>{1, 1, 2, 3, 4, 8}[random.below(6)];
  }
  for (std::size_t d = 0; d < dims; ++d) {
    const Int parts = map.tuples[0][d] * map.tuples[1][d] * map.tuples[2][d];
    const Int block = map.block.empty() ? 1 : map.block[d];
    map.tuples[3][d] = ceil_divide(ceil_divide(kernel.extents[d], parts), block) * block;
  }
  const bool banks_shared = map.parts(1) > 8;
  if (!banks_shared && random.chance(0.8)) map.pim.half = cnm::pim_halves.values[random.below(3)];
  if (reduction) {
    if (random.chance(0.7)) {
      for (std::size_t d = 0; d < dims; ++d) map.order.push_back(d);
      for (std::size_t d = dims; d-- > 1;) std::swap(map.order[d], map.order[random.below(d + 1)]);
    }
    if (!banks_shared && random.chance(0.3)) map.pim.half_dim = random.below(dims);
    if (kernel.operands.size() == 3 && random.chance(0.2)) map.pim.bank = random.below(2);
  } else {
    if (random.chance(0.8)) map.pim.grf = random.between(1, 16);
    if (random.chance(0.8)) map.pim.layout = cnm::pim_layouts.values[random.below(2)];
  }
  return map;
}

}  // namespace nestor::tests

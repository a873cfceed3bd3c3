// Random kernels and maps of the cnm space for tests. Kernels have operands over any of the dims, windows,
// several outputs, and regions that read and write them in several ways. Maps have any cut, block, order and
// `collect`.
#pragma once

#include <array>
#include <optional>
#include <span>

#include "base/random.h"
#include "model/cnm/kernel.h"
#include "model/cnm/map_rules.h"
#include "model/cnm/mapping.h"

namespace nestor::tests {

inline cnm::AffineExpr sum_of(std::size_t dims, std::initializer_list<std::size_t> used) {
  cnm::AffineExpr expr{std::vector<Int>(dims, 0), 0};
  for (const std::size_t d : used) expr.factors[d] += 1;
  return expr;
}

/// Returns a kernel with operands over random subsets of the dims, sometimes with a window, one or two
/// outputs, and a region that reads and writes them in several ways. Extents are drawn from `extents`.
inline cnm::Kernel random_kernel(Random& random, std::span<const Int> extents) {
  using cnm::AffineExpr, cnm::Kernel, cnm::KernelOperand, cnm::Op, cnm::RegionStep, cnm::Type;
  Kernel kernel;
  kernel.name = "random";
  const auto dims = static_cast<std::size_t>(random.between(1, 3));
  for (std::size_t d = 0; d < dims; ++d) {
    kernel.extents.push_back(extents[random.below(extents.size())]);
    kernel.reduction.push_back(random.chance(0.4));
  }
  if (random.chance(0.8)) kernel.reduction[0] = false;
  const Type type = std::array<Type, 4>{Type::i8, Type::i32, Type::i64, Type::f32}[random.below(4)];
  const double absent = random.chance(0.2) ? 0.8 : 0.3;
  const auto add_operand = [&](bool output) {
    KernelOperand operand;
    operand.name = "v" + std::to_string(kernel.operands.size());
    operand.type = type;
    operand.output = output;
    for (std::size_t d = 0; d < dims; ++d) {
      if (output ? kernel.reduction[d] : random.chance(absent)) continue;
      if (!output && d + 1 < dims && random.chance(0.1)) {
        operand.map.push_back(sum_of(dims, {d, d + 1}));
        ++d;
      } else {
        operand.map.push_back(sum_of(dims, {d}));
      }
    }
    for (const AffineExpr& expr : operand.map) operand.dims.push_back(reach(expr, kernel.extents));
    kernel.operands.push_back(std::move(operand));
  };
  const auto inputs = static_cast<std::size_t>(random.between(1, 3));
  const auto outputs = static_cast<std::size_t>(random.between(1, 2));
  for (std::size_t i = 0; i < inputs; ++i) add_operand(false);
  for (std::size_t i = 0; i < outputs; ++i) add_operand(true);
  const std::size_t operands = inputs + outputs;
  const auto steps = static_cast<std::size_t>(random.between(1, 3));
  for (std::size_t s = 0; s < steps; ++s) {
    if (random.chance(0.2)) {
      kernel.region.push_back({RegionStep::Kind::constant, Op::add, type, "3", {}});
      continue;
    }
    const auto argument = [&] { return static_cast<std::size_t>(random.below(operands + s)); };
    const Op op = std::array<Op, 3>{Op::add, Op::mul, Op::sub}[random.below(3)];
    kernel.region.push_back({RegionStep::Kind::operation, op, type, "op", {argument(), argument()}});
  }
  for (std::size_t o = 0; o < outputs; ++o)
    kernel.yields.push_back(random.chance(0.85) ? operands + random.below(steps) : random.below(operands));
  for (const RegionStep& step : kernel.region)
    for (const std::size_t a : step.arguments)
      if (a < operands && kernel.operands[a].output) kernel.operands[a].read = true;
  kernel.multiply_k = static_cast<Int>(random.below(12));
  return kernel;
}

inline Int divisor_of(Int number, Random& random) {
  for (;;) {
    const Int d = random.between(1, number);
    if (number % d == 0) return d;
  }
}

inline cnm::CnmMap random_map(const cnm::Kernel& kernel, Random& random) {
  cnm::CnmMap map;
  const std::size_t dims = kernel.dim_count();
  map.tuples.assign(3, std::vector<Int>(dims, 1));
  map.tuples.push_back(kernel.extents);
  for (std::size_t d = 0; d < dims; ++d) {
    Int& local = map.tuples[3][d];
    for (std::size_t level = 0; level < 3; ++level)
      if (random.chance(0.4)) local /= map.tuples[level][d] = divisor_of(local, random);
    map.block.push_back(divisor_of(local, random));
    map.order.push_back(d);
  }
  for (std::size_t d = dims; d > 1; --d) std::swap(map.order[d - 1], map.order[random.below(d)]);
  if (random.chance(0.2)) map.collect = random.between(1, 40);
  return map;
}

/// A kernel with a few small extents, a map of it and the lowered map.
struct ListedMap {
  cnm::Kernel kernel;
  cnm::CnmMap map;
  cnm::MapListing listing;
};

/// Draws a kernel and a map of it. Returns nullopt if the system cannot run the map.
inline std::optional<ListedMap> random_listed_map(Random& random, const cnm::System& system) {
  constexpr std::array<Int, 6> extents = {4, 8, 12, 16, 24, 48};
  ListedMap drawn{random_kernel(random, extents), {}, {}};
  drawn.map = random_map(drawn.kernel, random);
  if (!cnm::find_shape_fault(drawn.map, drawn.kernel.dim_count(), system).empty()) return std::nullopt;
  drawn.listing = cnm::list_map(drawn.kernel, drawn.map, system);
  if (!drawn.listing.fault.empty()) return std::nullopt;
  return drawn;
}

}  // namespace nestor::tests

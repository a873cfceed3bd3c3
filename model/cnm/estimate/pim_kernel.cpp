#include "model/cnm/estimate/pim_kernel.h"

#include <fmt/format.h>

#include <algorithm>

namespace nestor::cnm {
namespace {

// Elements of a vector in a tile: 8 bursts of 16 lanes in each bank of both halves.
Int tile_elements(const System& system) {
  return system.levels[1].size * system.levels[2].size * 2 * system.pim.grf;
}

bool is_plain(const AffineExpr& expr, std::size_t dim) {
  for (std::size_t d = 0; d < expr.factors.size(); ++d)
    if (expr.factors[d] != static_cast<Int>(d == dim)) return false;
  return expr.constant == 0;
}

// Every operand walks through all dims in order.
bool is_elementwise_kernel(const Kernel& kernel) {
  if (std::find(kernel.reduction.begin(), kernel.reduction.end(), true) != kernel.reduction.end())
    return false;
  for (const KernelOperand& operand : kernel.operands) {
    if (operand.map.size() != kernel.dim_count()) return false;
    for (std::size_t d = 0; d < operand.map.size(); ++d)
      if (!is_plain(operand.map[d], d)) return false;
  }
  return true;
}

bool is_matrix_by_vector(const Kernel& kernel) {
  if (kernel.dim_count() != 2 || kernel.reduction != std::vector<bool>{false, true} ||
      kernel.operands.size() != 3)
    return false;
  if (kernel.region.size() != 2 || kernel.region[0].op != Op::mul || kernel.region[1].op != Op::add)
    return false;
  int matrices = 0, vectors = 0;
  for (std::size_t i = 0; i < 2; ++i) {
    const auto& map = kernel.operands[i].map;
    matrices += static_cast<int>(map.size() == 2 && is_plain(map[0], 0) && is_plain(map[1], 1));
    vectors += static_cast<int>(map.size() == 1 && is_plain(map[0], 1));
  }
  const auto& result = kernel.operands[2].map;
  return matrices == 1 && vectors == 1 && result.size() == 1 && is_plain(result[0], 0);
}

std::size_t position_of(std::string_view name) {
  return static_cast<std::size_t>(std::find(pim_kernels.begin(), pim_kernels.end(), name) -
                                  pim_kernels.begin());
}

}  // namespace

std::optional<std::size_t> pim_kernel_of(const Kernel& kernel) {
  if (!kernel.library_call.empty()) return std::nullopt;
  if (is_matrix_by_vector(kernel)) return position_of("gemv");
  if (!is_elementwise_kernel(kernel)) return std::nullopt;
  std::size_t steps = 0;
  const RegionStep* only = nullptr;
  for (const RegionStep& step : kernel.region)
    if (step.kind == RegionStep::Kind::operation) {
      ++steps;
      only = &step;
    }
  if (steps != 1) return std::nullopt;
  if (kernel.operands.size() == 3 && only->op == Op::add) return position_of("add");
  if (kernel.operands.size() == 3 && only->op == Op::mul) return position_of("mul");
  if (kernel.operands.size() == 2 && only->op == Op::max) return position_of("relu");
  return std::nullopt;
}

PimPlanOutcome plan_channels(const Kernel& kernel, const std::vector<Int>& channels, const System& system) {
  const auto kind = pim_kernel_of(kernel);
  if (!kind) return {std::nullopt, "HBM-PIM runs add, mul, relu and gemv, and this kernel is none of them"};
  for (const KernelOperand& operand : kernel.operands)
    if (operand.type != Type::f16 && operand.type != Type::bf16)
      return {std::nullopt,
              fmt::format("operand '{}' has elements of type {}, HBM-PIM computes on f16 alone: --dtype f16 "
                          "maps the kernel with such elements",
                          operand.name, element_types.word(operand.type))};
  PimPlan plan;
  plan.kernel.kind = *kind;
  const Int blocks = system.levels[1].size, lanes = system.levels[2].size, grf = system.pim.grf;
  if (is_elementwise(plan.kernel)) {
    Int all = 1, elements = 1;
    for (const Int c : channels) all *= c;
    for (const Int e : kernel.extents) elements *= e;
    const Int tiles = ceil_divide(elements, all * tile_elements(system));
    plan.kernel.out_tiles = plan.kernel.in_tiles = tiles;
    plan.padded = {all * tile_elements(system) * tiles};
  } else {
    const Int rows = channels[0] * blocks * grf, inputs = channels[1] * lanes * grf;
    plan.kernel.out_tiles = ceil_divide(kernel.extents[0], rows);
    plan.kernel.in_tiles = ceil_divide(kernel.extents[1], inputs);
    plan.padded = {rows * plan.kernel.out_tiles, inputs * plan.kernel.in_tiles};
    // Every lane holds its own part of a sum: the host adds them all.
    plan.partial_results = plan.padded[0] * (lanes * channels[1] - 1);
  }
  if (!stream_of(plan.kernel, system)) return {std::nullopt, "more tiles than can be counted"};
  if (const Int highest = highest_data_row(plan.kernel, system); highest >= system.pim.reserved_row)
    return {std::nullopt,
            fmt::format("data up to row {}, expected below {}", highest, system.pim.reserved_row)};
  return {std::move(plan), {}};
}

KernelEstimate estimate_on_channels(const Kernel& kernel, const CnmMapping& mapping, const System& system) {
  KernelEstimate result;
  if (mapping.size() != 1) {
    result.refusal = fmt::format("{} maps, expected 1 on HBM-PIM", mapping.size());
    return result;
  }
  const CnmMap& map = mapping.front();
  const std::size_t last = kernel.dim_count() - 1;
  for (std::size_t d = 0; d <= last; ++d) {
    const Int blocks = d == 0 ? system.levels[1].size : 1, lanes = d == last ? system.levels[2].size : 1;
    if (map.tuples[1][d] != blocks || map.tuples[2][d] != lanes) {
      result.refusal = fmt::format("map {}: expected {} blocks and {} lanes in dim {}, found {} and {}",
                                   map.name, blocks, lanes, d + 1, map.tuples[1][d], map.tuples[2][d]);
      return result;
    }
    if (map.extent(d) < kernel.extents[d]) {
      result.refusal =
          fmt::format("map {} covers {} of {} in dim {}", map.name, map.extent(d), kernel.extents[d], d + 1);
      return result;
    }
  }
  const auto plan = plan_channels(kernel, map.tuples[0], system);
  if (!plan.plan) {
    result.refusal = fmt::format("map {}: {}", map.name, plan.refusal);
    return result;
  }
  HostWork work;
  work.partial_results = plan.plan->partial_results;
  auto outcome = estimate_stream(system, *stream_of(plan.plan->kernel, system), work);
  if (!outcome.estimate) {
    result.refusal = outcome.refusal;
    return result;
  }
  if (plan.plan->padded != kernel.extents)
    result.note = fmt::format("padded from {} to {}", fmt::join(kernel.extents, " x "),
                              fmt::join(plan.plan->padded, " x "));
  result.time_ms = outcome.estimate->time_ms;
  result.cycles = outcome.estimate->cycles;
  result.maps.push_back({map, std::move(*outcome.estimate)});
  return result;
}

}  // namespace nestor::cnm

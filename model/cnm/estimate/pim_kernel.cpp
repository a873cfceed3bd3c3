#include "model/cnm/estimate/pim_kernel.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/cnm/estimate/pim_stream.h"

namespace nestor::cnm {
namespace {

// Returns the number of elements of a vector in a tile: `grf` bursts of all lanes in both banks of each
// block.
Int tile_elements(const System& system) {
  return system.levels[1].size * system.levels[2].size * 2 * system.pim.grf;
}

bool is_plain(const AffineExpr& expr, std::size_t dim) {
  for (std::size_t d = 0; d < expr.factors.size(); ++d)
    if (expr.factors[d] != static_cast<Int>(d == dim)) return false;
  return expr.constant == 0;
}

// True if the kernel has no reduced dim and every operand's map is the identity.
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

// True if the kernel is the product of a matrix and a vector, both inputs.
bool is_matrix_by_vector(const Kernel& kernel) {
  if (kernel.dim_count() != 2 || kernel.operands.size() != 3) return false;
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
  const PimForm form = pim_form_of(kernel);
  if (!form.refusal.empty()) return std::nullopt;
  if (form.contraction)
    return form.product && is_matrix_by_vector(kernel) ? std::optional(position_of("gemv")) : std::nullopt;
  if (!is_elementwise_kernel(kernel) || form.has_constants) return std::nullopt;
  std::vector<Op> ops;
  for (const RegionStep& step : kernel.region)
    if (step.kind == RegionStep::Kind::operation) ops.push_back(step.op);
  if (ops.size() != 1 || form.runs.size() + 1 != kernel.operands.size()) return std::nullopt;
  const bool both = form.runs.size() == 2 && form.runs[0] != form.runs[1];
  if (both && ops[0] == Op::add) return position_of("add");
  if (both && ops[0] == Op::mul) return position_of("mul");
  if (form.runs.size() == 1 && ops[0] == Op::max) return position_of("relu");
  return std::nullopt;
}

PimPlanOutcome plan_channels(const Kernel& kernel, const std::vector<Int>& channels, const System& system) {
  const auto kind = pim_kernel_of(kernel);
  if (!kind) return {std::nullopt, "HBM-PIM runs only add, mul, relu and gemv"};
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
    // Every lane computes a separate part of a sum; the host adds all of them.
    plan.partial_results = plan.padded[0] * (lanes * channels[1] - 1);
  }
  if (!stream_of(plan.kernel, system)) return {std::nullopt, "the number of tiles is too large"};
  if (const Int highest = highest_data_row(plan.kernel, system); highest >= system.pim.reserved_row)
    return {std::nullopt,
            fmt::format("data reach row {}, expected rows below {}", highest, system.pim.reserved_row)};
  return {std::move(plan), {}};
}

ChannelWork channel_work(const Kernel& kernel, const CnmMap& map, bool alone, const System& system) {
  ChannelWork work;
  work.map = map;
  const auto refuse = [&](std::string why) {
    work.refusal = std::move(why);
    return std::move(work);
  };
  const PimForm form = pim_form_of(kernel);
  if (!form.refusal.empty()) return refuse(form.refusal);
  Kernel part = kernel;  // the part that the map covers
  for (std::size_t d = 0; d < kernel.dim_count(); ++d) {
    if (map.extent(d) < kernel.extents[d] && alone)
      return refuse(
          fmt::format("map {} covers {} of {} in dim {}", map.name, map.extent(d), kernel.extents[d], d + 1));
    if (!alone) part.extents[d] = map.extent(d);
  }
  if (is_library_form(map, system) && pim_kernel_of(kernel)) {
    auto plan = plan_channels(part, map.tuples[0], system);
    if (!plan.plan) return refuse(fmt::format("map {}: {}", map.name, plan.refusal));
    work.stream = stream_of(plan.plan->kernel, system);
    work.partial_results = plan.plan->partial_results;
    work.padded = std::move(plan.plan->padded);
    return work;
  }
  const PimMap complete = complete_pim_map(kernel, form, map, system);
  if (!complete.fault.empty()) return refuse(fmt::format("map {}: {}", map.name, complete.fault));
  work.stream = pim_stream(kernel, form, complete, system);
  work.partial_results = pim_partial_results(form, complete);
  for (std::size_t d = 0; d < kernel.dim_count(); ++d) work.padded.push_back(map.extent(d));
  work.map = with_pim_keys(map, form, complete, system);
  return work;
}

std::string channel_note(const Kernel& kernel, const std::vector<Int>& padded) {
  std::vector<std::string> notes;
  if (!padded.empty() && padded != kernel.extents)
    notes.push_back(
        fmt::format("padded from {} to {}", fmt::join(kernel.extents, " x "), fmt::join(padded, " x ")));
  for (const KernelOperand& operand : kernel.operands)
    if (operand.type != Type::f16 && operand.type != Type::bf16) {
      notes.push_back(
          fmt::format("elements of type {} are treated as f16", element_types.word(operand.type)));
      break;
    }
  return fmt::format("{}", fmt::join(notes, "; "));
}

KernelEstimate estimate_on_channels(const Kernel& kernel, const CnmMapping& mapping, const System& system) {
  KernelEstimate result;
  const auto refuse = [&](std::string why) {
    result.refusal = std::move(why);
    return std::move(result);
  };
  const bool alone = mapping.size() == 1;
  if (!alone)
    if (const auto allocation = allocate(mapping, kernel.extents); !allocation.fault.empty())
      return refuse(allocation.fault);
  std::vector<Int> padded;
  for (const std::size_t i : execution_order(mapping)) {
    auto channel = channel_work(kernel, mapping[i], alone, system);
    if (!channel.stream) return refuse(std::move(channel.refusal));
    HostWork work;
    work.partial_results = channel.partial_results;
    if (i == execution_order(mapping).back() && !alone)
      work.partial_results += results_between_maps(kernel, mapping);
    auto outcome = estimate_stream(system, *channel.stream, work);
    if (!outcome.estimate) return refuse(outcome.refusal);
    result.time_ms += outcome.estimate->time_ms;
    result.cycles += outcome.estimate->cycles;
    result.maps.push_back({std::move(channel.map), std::move(*outcome.estimate)});
    if (alone) padded = std::move(channel.padded);
  }
  result.note = channel_note(kernel, padded);
  return result;
}

}  // namespace nestor::cnm

#include "model/cnm/map_rules.h"

#include <algorithm>

#include "model/cnm/tiles.h"

namespace nestor::cnm {
namespace {

// Returns the number of parts into which the levels [first, last) divide an operand.
Int spread(const KernelOperand& operand, const CnmMap& map, std::size_t first, std::size_t last) {
  Int parts = 1;
  for (std::size_t level = first; level < last; ++level)
    for (std::size_t d = 0; d < map.tuples[level].size(); ++d)
      if (operand.uses(d)) parts *= map.tuples[level][d];
  return parts;
}

std::optional<Int> local_elements(const KernelOperand& operand, const CnmMap& map) {
  Int elements = 1;
  for (const AffineExpr& expr : operand.map) {
    const auto product = checked_multiply(elements, reach(expr, map.local()));
    if (!product || *product > max_count) return std::nullopt;
    elements = *product;
  }
  return elements;
}

std::optional<Int> bytes_in_dpu(const KernelOperand& operand, const CnmMap& map) {
  const std::size_t tasklets = map.tuples.size() - 2;
  const auto elements = local_elements(operand, map);
  const auto all =
      elements ? checked_multiply(*elements, spread(operand, map, tasklets, tasklets + 1)) : std::nullopt;
  return all ? checked_multiply(*all, bytes_of(operand.type)) : std::nullopt;
}

}  // namespace

std::optional<Int> operand_bytes_in_dpu(const Kernel& kernel, const CnmMap& map) {
  std::optional<Int> sum = 0;
  for (const KernelOperand& operand : kernel.operands) {
    const auto bytes = bytes_in_dpu(operand, map);
    sum = bytes ? checked_add(*sum, *bytes) : std::nullopt;
    if (!sum) return std::nullopt;
  }
  return sum;
}

Int output_elements(const Kernel& kernel, const CnmMap& map) {
  Int sum = 0;
  for (const KernelOperand& operand : kernel.operands)
    if (operand.output)
      sum += local_elements(operand, map).value_or(0) * spread(operand, map, 0, map.tuples.size() - 1);
  return sum;
}

Int partial_results(const Kernel& kernel, const CnmMap& map) {
  Int sum = 0;
  for (const KernelOperand& operand : kernel.operands) {
    if (!operand.output) continue;
    Int parts = 1;
    for (std::size_t level = 0; level + 2 < map.tuples.size(); ++level)
      for (std::size_t d = 0; d < kernel.dim_count(); ++d)
        if (!operand.uses(d)) parts *= map.tuples[level][d];
    sum += local_elements(operand, map).value_or(0) * spread(operand, map, 0, map.tuples.size() - 1) *
           (parts - 1);
  }
  return sum;
}

Int results_between_maps(const Kernel& kernel, const CnmMapping& mapping) {
  Int written = 0;
  for (const CnmMap& map : mapping) written += output_elements(kernel, map);
  CnmMap whole;
  whole.tuples = {std::vector<Int>(kernel.dim_count(), 1), std::vector<Int>(kernel.dim_count(), 1),
                  kernel.extents};
  return std::max<Int>(0, written - output_elements(kernel, whole));
}

MovedBytes bytes_of_rank(const Kernel& kernel, const CnmMap& map, const System& system) {
  MovedBytes bytes;
  const Int dpus = map.parts(1);
  const auto tiles = map.block.empty() ? std::vector<Tile>() : tile_operands(kernel, map, system).tiles;
  for (std::size_t i = 0; i < kernel.operands.size(); ++i) {
    const KernelOperand& operand = kernel.operands[i];
    const Int all = bytes_in_dpu(operand, map).value_or(0) * dpus;
    // Sums start from zero unless their part is visited more than once.
    const bool read_first =
        i < tiles.size() ? tiles[i].read_first : operand.read && !is_reduced(kernel, operand);
    if (!operand.output || read_first) bytes.in += all;
    if (operand.output) bytes.out += all;
  }
  return bytes;
}

MapListing list_map(const Kernel& kernel, const CnmMap& map, const System& system) {
  MapListing result;
  const auto ir = lower_to_ir(kernel, map, system);
  result.fault = ir.fault;
  if (!result.fault.empty()) return result;
  auto listing = lower_to_listing(ir.value, kernel.multiply_k);
  result.fault = listing.fault;
  if (!result.fault.empty()) return result;
  result.listing = std::move(listing.value);
  const auto mram = operand_bytes_in_dpu(kernel, map);
  if (!mram) {
    result.fault = "the size of the operands in bytes is too large";
    return result;
  }
  result.legality = check_listing(system, result.listing, tasklets_of(map), mram);
  result.fault = result.legality.violation;
  return result;
}

CnmMap with_defaults(CnmMap map, const Kernel& kernel, const System& system) {
  const std::size_t dims = kernel.dim_count();
  for (const bool reduced : {false, true})
    for (std::size_t d = 0; d < dims; ++d)
      if (kernel.reduction[d] == reduced &&
          std::find(map.order.begin(), map.order.end(), d) == map.order.end())
        map.order.push_back(d);
  if (!map.block.empty()) return map;
  map.block.assign(dims, 1);
  const Int last = map.local().back();
  // All bytes of a block pass through the scratchpad, so blocks above its capacity are illegal.
  const Int most = std::min(last, system.wram.capacity);
  for (Int block = most; block >= 1; --block) {
    if (last % block != 0) continue;
    map.block.back() = block;
    if (list_map(kernel, map, system).fault.empty()) break;
  }
  return map;
}

}  // namespace nestor::cnm

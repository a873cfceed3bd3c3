#include "model/cnm/search/no_map.h"

#include <fmt/format.h>

#include <numeric>
#include <optional>

namespace nestor::cnm {
namespace {

// Returns the dim if the index is a single dim plus a constant, and otherwise nothing.
std::optional<std::size_t> lone_dim(const AffineExpr& expr) {
  std::optional<std::size_t> dim;
  for (std::size_t d = 0; d < expr.factors.size(); ++d) {
    if (expr.factors[d] == 0) continue;
    if (dim || expr.factors[d] != 1) return std::nullopt;
    dim = d;
  }
  return dim;
}

}  // namespace

std::string find_missing_slots(const Kernel& kernel, const System& system) {
  const auto missing = [&](Op op, Type type) {
    const auto path = fmt::format("{}.{}", operations.word(op), element_types.word(type));
    return system.cost(op, type).known()
               ? std::string()
               : fmt::format("no slots for {} in system '{}'; specify them with --set ops.{}=N", path,
                             system.name, path);
  };
  if (!kernel.library_call.empty()) return {};
  for (const RegionStep& step : kernel.region) {
    if (step.kind == RegionStep::Kind::constant) continue;
    if (auto fault = missing(step.op, step.type); !fault.empty()) return fault;
  }
  for (const KernelOperand& operand : kernel.operands)
    if (auto fault = missing(operand.output ? Op::store : Op::load, operand.type); !fault.empty())
      return fault;
  return {};
}

// A request transfers a part of an operand whose number of elements divides that of the operand. Therefore,
// if the whole operand is not a multiple of the engine's unit, none of its parts can be transferred.
std::string find_unaligned_operand(const Kernel& kernel, const System& system) {
  if (!kernel.library_call.empty()) return {};
  for (const KernelOperand& operand : kernel.operands) {
    if (operand.output) continue;
    const Int size = bytes_of(operand.type), unit = system.dma.align / std::gcd(system.dma.align, size);
    Int left = unit;  // factor of the unit that the dims so far do not provide
    std::optional<std::size_t> last;
    bool all_lone = true;
    for (const AffineExpr& expr : operand.map) {
      const auto dim = lone_dim(expr);
      all_lone = all_lone && dim.has_value();
      if (!dim) continue;
      last = dim;
      left /= std::gcd(left, kernel.extents[*dim]);
    }
    if (left == 1 || !all_lone || !last) continue;
    const Int extent = kernel.extents[*last], grown = ceil_divide(extent, unit) * unit;
    const auto percent = ceil_divide(100 * (grown - extent), extent);
    const auto remedy = percent <= 100 ? fmt::format("--pad {} lets {} grow to {}", percent, extent, grown)
                                       : fmt::format("dim d{} of {} can be mapped", *last, grown);
    return fmt::format(
        "no part of operand '{}' ({} elements of {} bytes along d{}) is a multiple of {} bytes, "
        "as every transfer is: {}",
        operand.name, extent, size, *last, system.dma.align, remedy);
  }
  return {};
}

std::string why_no_map(const Kernel& kernel, const System& system, const Library& library) {
  if (auto fault = find_unaligned_operand(kernel, system); !fault.empty()) return fault;
  CnmMap map = complete(single_unit(kernel, system.levels.size()), kernel, system, library);
  // Enlarges the block to the engine's unit, so that a refusal is not due to the block size.
  for (std::size_t d = 0; d < map.block.size(); ++d)
    while (map.block[d] < system.dma.align && kernel.extents[d] % (2 * map.block[d]) == 0) map.block[d] *= 2;
  return fmt::format(
      "no mapping of this kernel is legal on the system; on one tasklet: {}; --pad lets its "
      "extents ({}) grow",
      listing_of(kernel, map, system, library).fault, fmt::join(kernel.extents, " x "));
}

}  // namespace nestor::cnm

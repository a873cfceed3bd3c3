#include "mapper/cnm/offload_forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace nestor::cnm {
namespace {

constexpr const char* on_host = "@host";

// Returns the dim if the term is a single dim, and otherwise nothing.
std::optional<std::size_t> lone_dim(const AffineExpr& expr) {
  std::optional<std::size_t> dim;
  for (std::size_t d = 0; d < expr.factors.size(); ++d) {
    if (expr.factors[d] == 0) continue;
    if (dim || expr.factors[d] != 1) return std::nullopt;
    dim = d;
  }
  return expr.constant == 0 ? dim : std::nullopt;
}

// Returns the token of an operand under a single map: the operand's extents, and the factors by which the two
// outer levels split its dims. Returns nothing if these levels split another dim, or if a term is not a
// single dim.
std::optional<std::string> cut_of(const KernelOperand& operand, const CnmMap& map) {
  std::vector<bool> used(map.tuples[0].size(), false);
  std::vector<std::size_t> dims;
  for (const AffineExpr& expr : operand.map) {
    const auto d = lone_dim(expr);
    if (!d || used[*d]) return std::nullopt;
    used[*d] = true;
    dims.push_back(*d);
  }
  std::vector<Int> outer, inner;
  for (std::size_t d = 0; d < used.size(); ++d)
    if (!used[d] && (map.tuples[0][d] > 1 || map.tuples[1][d] > 1)) return std::nullopt;
  for (const std::size_t d : dims) {
    outer.push_back(map.tuples[0][d]);
    inner.push_back(map.tuples[1][d]);
  }
  return fmt::format("{}/{}/{}", fmt::join(operand.dims, "x"), fmt::join(outer, ","), fmt::join(inner, ","));
}

// Returns the number of partial results of an output, in elements, that the host receives. It exceeds the
// number of the output's elements if the host must add partial results.
double partial_results(const Kernel& kernel, const KernelOperand& output, const CnmMapping& mapping,
                       const System& system) {
  double sum = 0;
  for (const CnmMap& map : mapping) {
    double elements = 1;
    for (std::size_t d = 0; d < kernel.dim_count(); ++d) {
      const bool lanes = system.target == Target::hbm_pim;  // results of lanes are always sent to the host
      if (output.uses(d))
        elements *= static_cast<double>(map.extent(d));
      else
        elements *= static_cast<double>(map.tuples[0][d] * map.tuples[1][d] * (lanes ? map.tuples[2][d] : 1));
    }
    sum += elements;
  }
  return sum;
}

double elements_of(const KernelOperand& operand) {
  double elements = 1;
  for (const Int extent : operand.dims) elements *= static_cast<double>(extent);
  return elements;
}

bool is_pointwise(const Kernel& kernel) {
  return std::find(kernel.reduction.begin(), kernel.reduction.end(), true) == kernel.reduction.end();
}

// True if the operand is the input of a product on HBM-PIM that is stored in registers. This is the input
// with fewer elements, if all blocks use the same elements.
bool is_in_registers(const Kernel& kernel, std::size_t operand, const CnmMapping& mapping) {
  std::vector<std::size_t> inputs;
  for (std::size_t i = 0; i < kernel.operands.size(); ++i)
    if (!kernel.operands[i].output) inputs.push_back(i);
  if (inputs.size() != 2 || is_pointwise(kernel)) return false;
  const bool first = elements_of(kernel.operands[inputs[0]]) < elements_of(kernel.operands[inputs[1]]);
  if (operand != inputs[first ? 0 : 1]) return false;
  for (const CnmMap& map : mapping)
    for (std::size_t d = 0; d < kernel.dim_count(); ++d)
      if (kernel.operands[operand].uses(d) && map.tuples[1][d] > 1) return false;
  return true;
}

}  // namespace

void set_forms(const KernelProgram& program, ProgramOperation& operation,
               const std::optional<ConvolutionProduct>& product, const Kernel& kernel,
               const CnmMapping& mapping, const System& system) {
  auto operands = operation.operands;
  if (product)
    for (std::size_t i = 0; i < operands.size(); ++i) operands[i] = operation.operands[product->origin[i]];
  auto& parts = operation.parts[system.name];
  std::string all_tuples;
  for (const CnmMap& map : mapping) {
    for (const auto& tuple : map.tuples) all_tuples += fmt::format("({})", fmt::join(tuple, ","));
    const PimKeys& keys = map.pim;
    if (keys.half) all_tuples += fmt::format(" {}", pim_halves.word(*keys.half));
    if (keys.layout) all_tuples += fmt::format(" {}", pim_layouts.word(*keys.layout));
    if (keys.grf) all_tuples += fmt::format(" {}", *keys.grf);
  }
  for (std::size_t i = 0; i < kernel.operands.size() && i < operands.size(); ++i) {
    const KernelOperand& operand = kernel.operands[i];
    const std::size_t value = operands[i];
    ValuePart part;
    const double partial = operand.output ? partial_results(kernel, operand, mapping, system) : 0;
    if (operand.output && partial > elements_of(operand) && !is_pointwise(kernel)) {
      part.token = on_host;
      const double bytes = partial * static_cast<double>(bytes_of(operand.type));
      part.bytes = static_cast<Int>(std::min(bytes, static_cast<double>(max_count)));
    } else if (system.target == Target::hbm_pim) {
      if (is_pointwise(kernel))
        part.token = all_tuples;
      else if (is_in_registers(kernel, i, mapping))
        part.token = on_host;
    } else if (mapping.size() == 1) {
      part.token = cut_of(operand, mapping[0]);
    }
    // The host forms windows during the transfer; windows for registers are written to the registers
    // directly.
    if (product && i == 1 && !product->token.empty() && part.token != on_host) {
      part.token = product->token;
      part.bytes = product->bytes;
    }
    if (!part.token) part.token = fmt::format("{}: {}", operation.name, program.values[value].name);
    const auto [entry, is_new] = parts.try_emplace(value, part);
    if (!is_new && entry->second.token != part.token)
      entry->second.token = fmt::format("{}: {}", operation.name, program.values[value].name);
  }
  // The previous content of an output has the same form as the output.
  for (const std::size_t value : operation.reads)
    if (!parts.contains(value) && !operation.writes.empty())
      parts[value].token = parts[operation.writes.back()].token;
}

}  // namespace nestor::cnm

#include <fmt/format.h>

#include <optional>

#include "io/cnm/mlir.h"
#include "io/cnm/mlir_types.h"

namespace nestor::io {
namespace {

using cnm::Kernel;
using cnm::RegionStep;

std::string memref(const cnm::KernelOperand& operand) {
  std::string text = "memref<";
  for (const Int dim : operand.dims) text += fmt::format("{}x", dim);
  return text + std::string(cnm::element_types.word(operand.type)) + ">";
}

std::string map_text(const cnm::KernelOperand& operand, std::size_t dims) {
  std::string names, results;
  for (std::size_t d = 0; d < dims; ++d) names += fmt::format("{}d{}", d > 0 ? ", " : "", d);
  for (const auto& expr : operand.map) {
    std::string sum;
    for (std::size_t d = 0; d < dims; ++d) {
      if (expr.factors[d] == 0) continue;
      sum += sum.empty() ? "" : " + ";
      sum += expr.factors[d] == 1 ? fmt::format("d{}", d) : fmt::format("d{} * {}", d, expr.factors[d]);
    }
    if (expr.constant != 0 || sum.empty())
      sum += (sum.empty() ? "" : " + ") + fmt::format("{}", expr.constant);
    results += (results.empty() ? "" : ", ") + sum;
  }
  return fmt::format("affine_map<({}) -> ({})>", names, results);
}

// Returns an operand that is only a shape. It specifies the extents of dims that index no operand alone, such
// as those of a pooling window. Returns nothing if there are no such dims.
std::optional<cnm::KernelOperand> window_of(const Kernel& kernel) {
  const std::size_t dims = kernel.dim_count();
  std::vector<bool> known(dims, false);
  for (const auto& operand : kernel.operands)
    for (const auto& expr : operand.map)
      for (std::size_t d = 0; d < dims; ++d) {
        cnm::AffineExpr alone{std::vector<Int>(dims, 0), 0};
        alone.factors[d] = 1;
        if (expr == alone) known[d] = true;
      }
  cnm::KernelOperand window;
  window.name = "window";
  for (bool taken = true; taken;) {
    taken = false;
    for (const auto& operand : kernel.operands) taken |= operand.name == window.name;
    if (taken) window.name += "_";
  }
  window.type = kernel.operands.empty() ? cnm::Type::i32 : kernel.operands.back().type;
  for (std::size_t d = 0; d < dims; ++d) {
    if (known[d]) continue;
    cnm::AffineExpr alone{std::vector<Int>(dims, 0), 0};
    alone.factors[d] = 1;
    window.dims.push_back(kernel.extents[d]);
    window.map.push_back(std::move(alone));
  }
  return window.dims.empty() ? std::nullopt : std::optional(std::move(window));
}

std::string operand_list(const Kernel& kernel, bool outputs,
                         const std::optional<cnm::KernelOperand>& window) {
  std::string names, types;
  for (const auto& operand : kernel.operands) {
    if (operand.output != outputs) continue;
    names += (names.empty() ? "%" : ", %") + operand.name;
    types += (types.empty() ? "" : ", ") + memref(operand);
  }
  if (!outputs && window) {
    names += (names.empty() ? "%" : ", %") + window->name;
    types += (types.empty() ? "" : ", ") + memref(*window);
  }
  return fmt::format("({} : {})", names, types);
}

std::string step_text(const Kernel& kernel, std::size_t i, const std::vector<std::string>& names) {
  const RegionStep& step = kernel.region[i];
  const auto type = cnm::element_types.word(step.type);
  if (step.kind == RegionStep::Kind::constant)
    return fmt::format("      %r{} = arith.constant {} : {}\n", i, step.text, type);
  std::string arguments;
  for (const std::size_t a : step.arguments) arguments += (arguments.empty() ? "" : ", ") + names[a];
  const auto space = step.text.find(' ');
  const auto word = step.text.substr(0, space);
  if (space != std::string::npos) arguments = step.text.substr(space + 1) + ", " + arguments;
  if (step.kind != RegionStep::Kind::convert)
    return fmt::format("      %r{} = arith.{} {} : {}\n", i, word, arguments, type);
  const std::size_t from = step.arguments[0];
  const auto source = from < kernel.operands.size() ? kernel.operands[from].type
                                                    : kernel.region[from - kernel.operands.size()].type;
  return fmt::format("      %r{} = arith.{} {} : {} to {}\n", i, word, arguments,
                     cnm::element_types.word(source), type);
}

}  // namespace

std::string to_mlir(const Kernel& kernel) {
  std::string arguments, maps, iterators, block, allocation;
  std::vector<std::string> names;
  const auto window = kernel.library_call.empty() ? window_of(kernel) : std::nullopt;
  const auto add_block_argument = [&](const std::string& name, cnm::Type type) {
    block += fmt::format("{}{}: {}", block.empty() ? "" : ", ", name, cnm::element_types.word(type));
  };
  const auto add_map = [&](const cnm::KernelOperand& operand) {
    maps += (maps.empty() ? "" : ", ") + map_text(operand, kernel.dim_count());
  };
  bool has_inputs = window.has_value(), has_window = false;
  const auto add_window = [&] {
    if (window && !has_window) {
      add_map(*window);
      add_block_argument("%bw", window->type);
      allocation = fmt::format("    %{} = memref.alloc() : {}\n", window->name, memref(*window));
    }
    has_window = true;
  };
  for (const auto& operand : kernel.operands) {
    has_inputs |= !operand.output;
    if (operand.output) add_window();
    arguments += fmt::format("{}%{}: {}", arguments.empty() ? "" : ", ", operand.name, memref(operand));
    add_map(operand);
    names.push_back(fmt::format("%b{}", names.size()));
    add_block_argument(names.back(), operand.type);
  }
  for (const bool reduced : kernel.reduction)
    iterators += fmt::format("{}\"{}\"", iterators.empty() ? "" : ", ", reduced ? "reduction" : "parallel");
  for (std::size_t i = 0; i < kernel.region.size(); ++i) names.push_back(fmt::format("%r{}", i));
  const auto call = kernel.library_call.empty() ? std::string()
                                                : fmt::format(", library_call = \"{}\"", kernel.library_call);
  std::string text = fmt::format(
      "module {{\n  func.func @{}({}) {{\n{}    linalg.generic {{indexing_maps = [{}], iterator_types = "
      "[{}]{}}}",
      kernel.name, arguments, allocation, maps, iterators, call);
  if (has_inputs) text += " ins" + operand_list(kernel, false, window);
  text += fmt::format(" outs{} {{\n    ^bb0({}):\n", operand_list(kernel, true, window), block);
  for (std::size_t i = 0; i < kernel.region.size(); ++i) text += step_text(kernel, i, names);
  std::string yields, types;
  std::size_t output = 0;
  for (const auto& operand : kernel.operands) {
    if (!operand.output) continue;
    yields += (yields.empty() ? "" : ", ") + names[kernel.yields[output++]];
    types += (types.empty() ? "" : ", ") + std::string(cnm::element_types.word(operand.type));
  }
  return text + fmt::format("      linalg.yield {} : {}\n    }}\n    return\n  }}\n}}\n", yields, types);
}

}  // namespace nestor::io

#include <fmt/format.h>

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

std::string operand_list(const Kernel& kernel, bool outputs) {
  std::string names, types;
  for (const auto& operand : kernel.operands) {
    if (operand.output != outputs) continue;
    names += (names.empty() ? "%" : ", %") + operand.name;
    types += (types.empty() ? "" : ", ") + memref(operand);
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
  std::string arguments, maps, iterators, block;
  std::vector<std::string> names;
  for (const auto& operand : kernel.operands) {
    arguments += fmt::format("{}%{}: {}", arguments.empty() ? "" : ", ", operand.name, memref(operand));
    maps += (maps.empty() ? "" : ", ") + map_text(operand, kernel.dim_count());
    names.push_back(fmt::format("%b{}", names.size()));
    block += fmt::format("{}{}: {}", block.empty() ? "" : ", ", names.back(),
                         cnm::element_types.word(operand.type));
  }
  for (const bool reduced : kernel.reduction)
    iterators += fmt::format("{}\"{}\"", iterators.empty() ? "" : ", ", reduced ? "reduction" : "parallel");
  for (std::size_t i = 0; i < kernel.region.size(); ++i) names.push_back(fmt::format("%r{}", i));
  const auto call = kernel.library_call.empty() ? std::string()
                                                : fmt::format(", library_call = \"{}\"", kernel.library_call);
  std::string text = fmt::format(
      "module {{\n  func.func @{}({}) {{\n    linalg.generic {{indexing_maps = [{}], iterator_types = "
      "[{}]{}}}",
      kernel.name, arguments, maps, iterators, call);
  bool has_inputs = false;
  for (const auto& operand : kernel.operands) has_inputs |= !operand.output;
  if (has_inputs) text += " ins" + operand_list(kernel, false);
  text += fmt::format(" outs{} {{\n    ^bb0({}):\n", operand_list(kernel, true), block);
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

// Functions that convert a user's constraints (--fix) to the JSON of a result file, as the checker reads it.
#pragma once

#include "check/problem.h"
#include "model/loopnest/constraints.h"

namespace nestor::check_cases {

inline check::Json letters_of(const OperandSet& operands) {
  auto list = check::Json::array();
  for (const Operand operand : all_operands)
    if (operands.contains(operand)) list.push_back(std::string(1, letter(operand)));
  return list;
}

/// Returns a result with --fix that contains only the keys that fix() reads.
inline check::Json fixed_result(const Constraints& constraints, const check::Machine& machine) {
  auto axes = check::Json::object();
  for (std::size_t a = 0; a < machine.axes.size(); ++a) {
    auto& axis = axes[machine.axes[a].name] = check::Json::object();
    auto dims = check::Json::array();
    for (const Dim dim : all_dims) {
      if (constraints.axis_dims[a].contains(dim) && machine.axes[a].dims[index_of(dim)])
        dims.push_back(std::string(1, letter(dim)));
      if (const Int factor = constraints.axis_factors[a][index_of(dim)]; factor != 0)
        axis["factors"][std::string(1, letter(dim))] = factor;
    }
    axis["dims"] = dims;
    axis["min_utilisation"] = constraints.min_utilisation[a];
  }
  auto memories = check::Json::object();
  for (std::size_t m = 0; m < machine.memories.size(); ++m) {
    auto& memory = memories[machine.memories[m].name] = check::Json::object();
    if (const auto list = letters_of(constraints.must_use[m]); !list.empty()) memory["must_use"] = list;
    if (const auto list = letters_of(constraints.must_not_use[m]); !list.empty())
      memory["must_not_use"] = list;
  }
  return {{"options", {{"fix", "constraints.yaml"}}},
          {"constraints", {{"axes", axes}, {"memories", memories}}}};
}

}  // namespace nestor::check_cases

#include "check/cnm/tiling.h"

#include <algorithm>

namespace nestor::check::cnm {
namespace {

Int round_up(Int number, Int unit) { return times(ceiling(number, unit), unit); }

// Determines the view of an output. The output is a single value while it is summed if no loop over its
// elements is inside a loop of the sum.
void view_output(const Kernel& kernel, const Form& form, const Tiling& tiling, const CnmOperand& operand,
                 View& view) {
  bool is_revisited = false, sums_in_steps = false, sums_around_elements = false, has_elements = false;
  for (std::size_t l = 0; l < tiling.loops.size(); ++l) {
    const bool uses = operand.uses(tiling.loops[l]);
    if (tiling.is_step(l)) {
      is_revisited |= !uses && l < view.depth;
      sums_in_steps |= !uses;
    } else if (uses) {
      has_elements = true;
      view.value_depth = l + 1;
      for (std::size_t around = tiling.steps; around < l; ++around)
        sums_around_elements |= !operand.uses(tiling.loops[around]);
    }
  }
  if (!has_elements) view.value_depth = view.depth;
  view.is_value =
      operand.is_summed && !is_revisited && !sums_around_elements && !(sums_in_steps && has_elements);
  view.is_read = is_revisited || (!operand.is_summed && operand.is_argument);
  for (std::size_t d = 0; d < kernel.dims(); ++d)
    view.stays |= kernel.reduction[d] && !operand.uses(d) && form.tasklets[d] > 1;
}

View view_of(const CnmProblem& problem, const Form& form, const Tiling& tiling, const CnmOperand& operand) {
  View view;
  for (const Index& index : operand.map) {
    view.local.push_back(index.reach(form.local));
    view.tile.push_back(index.reach(form.block));
  }
  for (std::size_t l = 0; l < tiling.steps; ++l)
    if (operand.uses(tiling.loops[l])) view.depth = l + 1;
  view.is_read = true;
  if (operand.is_output) view_output(problem.kernel, form, tiling, operand, view);
  if (view.stays) {
    view.tile = view.local;
    view.is_read = false;
    view.depth = 0;
  }
  return view;
}

// Gathers outputs that are too small to be written at each step, over several steps of the innermost parallel
// step loop.
void gather(const CnmProblem& problem, const Form& form, Tiling& tiling) {
  std::size_t loop = tiling.steps;
  for (std::size_t l = 0; l < tiling.steps; ++l)
    if (!problem.kernel.reduction[tiling.loops[l]]) loop = l;
  tiling.gathering = tiling.loops.size() + 1;
  if (loop == tiling.steps) return;
  const std::size_t d = tiling.loops[loop];
  Int largest = 1;
  for (std::size_t i = 0; i < tiling.views.size(); ++i)
    if (const CnmOperand& operand = problem.kernel.operands[i]; !operand.is_output)
      largest = std::max(largest, std::min(tiling.views[i].run(), problem.machine.most_elements(operand)));
  for (std::size_t i = 0; i < tiling.views.size(); ++i) {
    const CnmOperand& operand = problem.kernel.operands[i];
    View& view = tiling.views[i];
    if (view.stays || !problem.machine.is_small(operand, view.run()) || !operand.uses(d)) continue;
    // Gathering is only possible along the last dim.
    if (operand.map.back().factors[d] == 0) tiling.fault = "results of its steps are not contiguous";
    tiling.gathering = loop;
    tiling.group = std::clamp<Int>(form.collect.value_or(largest) / form.block[d], 1, form.steps_of(d));
    view.is_gathered = true;
    view.depth = loop;
    view.tile.back() = times(view.tile.back(), tiling.group);
  }
}

void count_buffers(const CnmProblem& problem, const Form& form, Tiling& tiling) {
  const CnmMachine& machine = problem.machine;
  Int bytes = machine.wram_stack;
  for (std::size_t i = 0; i < tiling.views.size(); ++i)
    bytes =
        plus(bytes, round_up(machine.padded(problem.kernel.operands[i], product(tiling.views[i].tile)), 8));
  tiling.wram = plus(times(bytes, form.tasklet_count()), machine.wram_reserved);
  if (tiling.wram > machine.wram) tiling.fault = "its buffers exceed WRAM";
}

}  // namespace

std::size_t View::split() const {
  std::size_t k = tile.size();
  while (k > 0 && tile[k - 1] == local[k - 1]) --k;
  return k == 0 ? 0 : k - 1;
}
Int View::run() const {
  Int elements = 1;
  for (std::size_t k = split(); k < tile.size(); ++k) elements = times(elements, tile[k]);
  return elements;
}

bool CnmMachine::is_small(const CnmOperand& operand, Int elements) const {
  return operand.is_output && times(elements, operand.bytes) < least_bytes;
}
Int CnmMachine::most_elements(const CnmOperand& operand) const {
  return std::max<Int>(1, most_bytes / operand.bytes);
}
Int CnmMachine::padded(const CnmOperand& operand, Int elements) const {
  return round_up(round_up(times(elements, operand.bytes), align), operand.bytes);
}

Tiling tile(const CnmProblem& problem, const Form& form) {
  Tiling tiling;
  for (const bool over_steps : {true, false}) {
    for (const Int dim : form.order) {
      const auto d = static_cast<std::size_t>(dim);
      if ((over_steps ? form.steps_of(d) : form.block[d]) > 1) tiling.loops.push_back(d);
    }
    if (over_steps) tiling.steps = tiling.loops.size();
  }
  for (const CnmOperand& operand : problem.kernel.operands)
    tiling.views.push_back(view_of(problem, form, tiling, operand));
  gather(problem, form, tiling);
  count_buffers(problem, form, tiling);
  return tiling;
}

}  // namespace nestor::check::cnm

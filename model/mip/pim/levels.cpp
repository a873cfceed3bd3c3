// Eq. 13, and even blocks: one level for each loop, shared by all operands (docs/models/pim.md, section 2).
#include <fmt/format.h>

#include "model/mip/pim/formulation.h"

namespace nestor::pim {

using mip::Jump;
using mip::Sense;

// Adds Eq. 13: a dimension is on at most one of the dim_once axes.
void PimProgram::add_dims_once() {
  for (std::size_t d = 0; d < dim_count; ++d) {
    Sum mapped;
    for (std::size_t a = 0; a < problem_.machine.axes.size(); ++a) {
      if (((problem_.machine.dim_once >> a) & 1U) == 0) continue;
      for (const mip::AxisChoice& choice : nest_.axis(a))
        if (choice.node[d] != 0) mapped.add(choice.column, 1);
    }
    program_.row(fmt::format("eq13_{}", letter(static_cast<Dim>(d))), mapped, Sense::at_most, 1);
  }
}

// Adds the choice of the gap at which the level of each memory m starts. The gap is not outside the start of
// the previous memory's level. For an operand that uses m, the gap is between the operand's jump into m and
// the next relevant loop.
void PimProgram::add_levels(const PimMapping* known) {
  const std::size_t slots = nest_.slots();
  const auto& memories = problem_.machine.memories;
  std::size_t level = 0;  // level of the known mapping
  std::vector<Index> before;
  for (std::size_t m = 1; m < memories.size(); ++m) {
    if (known != nullptr && nest_.knows())
      for (const Operand operand : all_operands)
        for (const Jump& jump : nest_.jumps(operand))
          if (jump.to == m && program_.known()[jump.column] > 0.5) level = std::max(level, jump.gap);
    std::vector<Index> starts;
    Sum one;
    for (std::size_t gap = 0; gap <= slots; ++gap) {
      starts.push_back(program_.add(
          {.name = fmt::format("level_{}_g{}", m, gap),
           .upper = 1,
           .integer = true,
           .meaning = {.symbol = "level", .slot = static_cast<int>(gap) - 1, .memory = static_cast<int>(m)}},
          nest_.knows() && gap == level));
      one.add(starts.back(), 1);
    }
    program_.row(fmt::format("level_{}", m), one, Sense::equal, 1);
    Sum further_out;  // starts of this level in the gaps [0, gap], minus those of the previous level
    for (std::size_t gap = 0; gap < slots && !before.empty(); ++gap) {
      further_out.add(starts[gap], 1).add(before[gap], -1);
      program_.row(fmt::format("level_order_{}_g{}", m, gap), further_out, Sense::at_most, 0);
    }
    before = starts;
    for (const Operand operand : all_operands) {
      const auto label = fmt::format("{}_{}", m, letter(operand));
      Sum earlier;  // 1 if the level starts outside gap g
      for (std::size_t gap = 1; gap <= slots; ++gap) {
        earlier.add(starts[gap - 1], 1);
        Sum later;  // 1 if the operand enters at gap g or further inside
        for (const Jump& jump : nest_.jumps(operand))
          if (jump.to == m && jump.gap >= gap) later.add(jump.column, 1);
        if (!later.empty())
          program_.row(fmt::format("level_first_{}_g{}", label, gap), earlier + later, Sense::at_most, 1);
      }
      for (std::size_t i = 0; i < slots; ++i) {
        Sum entered;
        Sum starts_later;
        Sum seen;
        for (const Jump& jump : nest_.jumps(operand))
          if (jump.to == m && jump.gap <= i) entered.add(jump.column, 1);
        for (std::size_t gap = i + 1; gap <= slots; ++gap) starts_later.add(starts[gap], 1);
        for (const mip::LoopChoice& choice : nest_.loops(i))
          if (problem_.layer.is_relevant(static_cast<Dim>(choice.dim), operand)) seen.add(choice.column, 1);
        if (!entered.empty() && !seen.empty())
          program_.row(fmt::format("level_last_{}_s{}", label, i), entered + starts_later + seen,
                       Sense::at_most, 2);
      }
    }
  }
}

}  // namespace nestor::pim

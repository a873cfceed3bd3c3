#include "report/results/violation_text.h"

#include <fmt/format.h>

namespace nestor::io {
namespace {

/// Returns the name of a loop. Loops are numbered from 1 at the outside, as in docs/models/cim.md.
std::string loop_name(const Violation& violation, const Mapping& mapping) {
  const auto& loop = mapping.loops[violation.loop];
  return fmt::format("temporal loop {} ({} {})", violation.loop + 1, letter(loop.dim), loop.factor);
}

/// True if the wrong memory is in a loop, and not in a double-buffer pair.
bool placed_by_loop(const Violation& violation, const Mapping& mapping) {
  return violation.loop < mapping.loops.size() &&
         mapping.loops[violation.loop].at[index_of(violation.operand)] == violation.memory;
}

}  // namespace

std::string violation_text(const Violation& violation, const Mapping& mapping, const HierarchyNames& names) {
  const auto memory = [&] {
    return violation.memory < names.memory_names.size()
               ? fmt::format("'{}'", names.memory_names[violation.memory])
               : fmt::format("memory number {}", violation.memory);
  };
  const auto axis = [&] { return names.axis_names[violation.axis]; };
  const char dim = letter(violation.dim);
  const char operand = letter(violation.operand);
  switch (violation.rule) {
    case Rule::factor_below_one:
      // A factor on an axis can be 1 (the limit); a factor of a loop must be at least 2.
      return fmt::format(
          "{}: factor {} of {}, expected at least {}",
          violation.limit == 1 ? fmt::format("axis '{}'", axis()) : loop_name(violation, mapping),
          violation.found, dim, violation.limit);
    case Rule::axis_dim_not_allowed:
      return fmt::format("axis '{}' does not allow {}", axis(), dim);
    case Rule::axis_overflow:
      return fmt::format("axis '{}' is mapped {} wide, but its size is {}", axis(), violation.found,
                         violation.limit);
    case Rule::bound_mismatch:
      return fmt::format("the factors of {} multiply to {}, but its bound is {}", dim, violation.found,
                         violation.limit);
    case Rule::memory_without_operand:
      if (!placed_by_loop(violation, mapping))
        return fmt::format("{} is double-buffered in {}, which does not hold it", operand, memory());
      return fmt::format("{} puts {} at {}, which does not hold it", loop_name(violation, mapping), operand,
                         memory());
    case Rule::block_moves_outward:
      return fmt::format("{} puts {} at {}, outside the memory of an outer loop",
                         loop_name(violation, mapping), operand, memory());
    case Rule::double_buffer_not_allowed:
      return fmt::format("{} does not allow double buffering (requested for {})", memory(), operand);
    case Rule::double_buffer_home:
      return fmt::format("{} is the home of {} and cannot be double-buffered", memory(), operand);
    case Rule::double_buffer_unused:
      return fmt::format("{} is double-buffered in {} but does not use it", operand, memory());
    case Rule::capacity:
      return fmt::format("{} needs {} bits, but holds {}", memory(), violation.found, violation.limit);
    case Rule::not_canonical:
      return fmt::format("not canonical: {} ends the block of {} at {} and is irrelevant to {}",
                         loop_name(violation, mapping), operand, memory(), operand);
  }
  return "unknown rule";
}

std::string refusal_text(Refusal refusal) {
  switch (refusal) {
    case Refusal::none:
      return "accepted";
    case Refusal::too_large:
      return "the product of bounds, widths and cycles exceeds the model's 64-bit integers";
    case Refusal::nonpositive:
      return "a bound, stride, dilation or width is below 1";
    case Refusal::operand_without_memory:
      return "the architecture has fewer than two memories for one of its operands";
    case Refusal::row_too_short:
      return "a DRAM row does not hold one element of every operand";
    case Refusal::no_coordinates:
      return "an operand in DRAM depends on N, K and C, and neither K nor C is 1";
    case Refusal::groups:
      return "PIM machines have no dimension G; specify groups: N instead of dims: {G: N}";
  }
  return "unknown reason";
}

}  // namespace nestor::io

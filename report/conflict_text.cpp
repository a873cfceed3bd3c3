#include "report/conflict_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "report/tables/units.h"

namespace nestor::report {
namespace {

using Kind = mapper::FixedItem::Kind;

std::string dims_text(DimSet dims) {
  std::string text;
  for (const Dim dim : all_dims)
    if (dims.contains(dim)) text += fmt::format("{}{}", text.empty() ? "" : " ", letter(dim));
  return text.empty() ? "none" : text;
}

std::string item_text(const mapper::FixedItem& item, const Constraints& constraints,
                      const HierarchyNames& names) {
  switch (item.kind) {
    case Kind::axis_dims:
      return fmt::format("axis '{}' carries only {}", names.axis_names[item.place],
                         dims_text(constraints.axis_dims[item.place]));
    case Kind::axis_factor:
      return fmt::format("axis '{}' carries {} {}", names.axis_names[item.place], letter(item.dim),
                         constraints.axis_factors[item.place][index_of(item.dim)]);
    case Kind::min_utilisation:
      return fmt::format("axis '{}' has a utilisation of at least {}", names.axis_names[item.place],
                         io::percent_text(constraints.min_utilisation[item.place]));
    case Kind::must_use:
      return fmt::format("{} uses '{}'", letter(item.operand), names.memory_names[item.place]);
    case Kind::must_not_use:
      return fmt::format("{} does not use '{}'", letter(item.operand), names.memory_names[item.place]);
    case Kind::stationary:
      return fmt::format("every innermost tile of {} is loaded once", letter(item.operand));
    case Kind::outer_loops: {
      std::vector<std::string> loops;
      for (const Loop& loop : constraints.outer_loops)
        loops.push_back(fmt::format("{} {}", letter(loop.dim), loop.factor));
      return fmt::format("the outermost loops are {}", fmt::join(loops, ", "));
    }
  }
  return {};
}

}  // namespace

std::string conflict_text(const mapper::Conflict& conflict, const Constraints& constraints,
                          const Hierarchy& machine, const HierarchyNames& names) {
  std::vector<std::string> reasons;
  reasons.reserve(conflict.shortages.size());
  for (const auto& shortage : conflict.shortages)
    reasons.push_back(fmt::format(
        "'{}' holds {}, but the smallest tiles need {}", names.memory_names[shortage.memory],
        io::size_text(machine.memories[shortage.memory].capacity), io::size_text(shortage.needed)));
  if (!reasons.empty()) return fmt::format("{}", fmt::join(reasons, "; "));
  for (const auto& item : conflict.items) reasons.push_back(item_text(item, constraints, names));
  if (reasons.empty()) return "its tiles do not fit into any combination of memories";
  return fmt::format("{} of --fix cannot be met together: {}",
                     conflict.minimal ? "a minimal set of constraints" : "a set of constraints",
                     fmt::join(reasons, "; "));
}

}  // namespace nestor::report

#include "model/simd/figures.h"

#include <algorithm>

#include "base/tables/hash_table.h"

namespace nestor::simd {

ScheduleFigures figures_of(const Schedule& schedule, const Netlist& netlist) {
  ScheduleFigures figures;
  figures.nodes = netlist.gates.size();
  HashSet<std::uint64_t> places;
  HashMap<std::uint32_t, std::uint32_t> rows;  // by array
  const auto use = [&](Place place) {
    if (places.insert(std::uint64_t{place.array} << 32U | place.row).second) ++rows[place.array];
  };
  for (std::uint32_t i = 0; i < netlist.input_names.size(); ++i) use(input_place(i, schedule.rows));
  for (const auto& instruction : schedule.instructions) {
    use(instruction.to);
    if (!instruction.is_copy()) {
      ++figures.computes;
      continue;
    }
    ++figures.copies;
    figures.arrays_passed += arrays_between(instruction.from.array, instruction.to.array);
  }
  figures.arrays_used = static_cast<std::uint32_t>(rows.size());
  for (const auto& [array, used] : rows) figures.rows_used = std::max(figures.rows_used, used);
  return figures;
}

}  // namespace nestor::simd

#include "mapper/chip/explain.h"

#include <algorithm>
#include <functional>

namespace nestor::chip {
namespace {

struct Change {
  std::string resource;
  Int now;
  Int more;
  std::function<void(ChipMachine&)> make;
};

// Adds a row to a grid, or a column if it has a single row.
void widen(Grid& grid) { ++(grid.rows == 1 ? grid.columns : grid.rows); }

// Returns the possible changes. Each doubles a rate, a size or the number of parallel rows (limited to all
// rows), or adds a row or column to a grid.
std::vector<Change> changes_of(const ChipMachine& machine) {
  std::vector<Change> changes;
  const auto grow = [&](const char* name, Grid ChipMachine::*grid, NocKind noc) {
    if (noc == NocKind::matrix) return;  // the cost of reaching an added unit is unknown
    ChipMachine wider = machine;
    widen(wider.*grid);
    changes.push_back({name, (machine.*grid).count(), (wider.*grid).count(),
                       [grid](ChipMachine& each) { widen(each.*grid); }});
  };
  grow("cores", &ChipMachine::cores, machine.chip_noc.kind);
  grow("crossbars of a core", &ChipMachine::crossbars, machine.core_noc.kind);
  const auto twice = [&](const char* name, Int now, const std::function<Int&(ChipMachine&)>& of) {
    if (now == left_out || now > (Int{1} << 40)) return;
    changes.push_back({name, now, 2 * now, [of](ChipMachine& each) { of(each) *= 2; }});
  };
  twice("L0 bits", machine.l0.size, [](ChipMachine& m) -> Int& { return m.l0.size; });
  twice("L0 bandwidth", machine.l0.bandwidth, [](ChipMachine& m) -> Int& { return m.l0.bandwidth; });
  twice("L1 bits", machine.l1.size, [](ChipMachine& m) -> Int& { return m.l1.size; });
  twice("L1 bandwidth", machine.l1.bandwidth, [](ChipMachine& m) -> Int& { return m.l1.bandwidth; });
  twice("off-chip bandwidth", machine.off_chip_bandwidth,
        [](ChipMachine& m) -> Int& { return m.off_chip_bandwidth; });
  twice("chip's digital unit", machine.chip_alu, [](ChipMachine& m) -> Int& { return m.chip_alu; });
  twice("core's digital unit", machine.core_alu, [](ChipMachine& m) -> Int& { return m.core_alu; });
  if (machine.cell.parallel_rows < machine.cell.rows) {
    const Int more = std::min(2 * machine.cell.parallel_rows, machine.cell.rows);
    changes.push_back({"rows at once", machine.cell.parallel_rows, more,
                       [more](ChipMachine& each) { each.cell.parallel_rows = more; }});
  }
  return changes;
}

}  // namespace

Explanation explain(const ChipMachine& machine, const ChipNetwork& whole, const NetworkRequest& request,
                    double objective, bool proved, const SearchResources& resources) {
  Explanation explanation;
  for (const Change& change : changes_of(machine)) {
    if (resources.stop.requested()) {
      explanation.complete = false;
      return explanation;
    }
    ChipMachine changed = machine;
    change.make(changed);
    auto fitted = fit(changed, whole);
    if (auto* const refused = std::get_if<ChipRefusal>(&fitted)) {
      explanation.refusal = std::move(*refused);
      return explanation;
    }
    const auto problem = make_problem(changed, std::get<ChipNetwork>(fitted));
    const auto result = compile_network(problem, request, resources);
    if (!result.fault.empty()) {
      explanation.fault = result.fault;
      return explanation;
    }
    const auto& found = result.outcome;
    // A search that was stopped without a proof reveals nothing about the machine.
    if (resources.stop.requested() && found.status != Status::optimal) continue;
    if (!found.best) continue;
    explanation.gains.push_back({change.resource, change.now, change.more, found.objective,
                                 objective > 0 ? (objective - found.objective) / objective : 0,
                                 proved && found.status == Status::optimal});
  }
  return explanation;
}

}  // namespace nestor::chip

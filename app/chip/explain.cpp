#include "app/chip/explain.h"

#include <fmt/format.h>

#include <functional>

namespace nestor::app::chip_space {
namespace {

struct Change {
  std::string resource;
  Int now;
  Int more;
  std::function<void(chip::Machine&)> make;
};

// One row of a grid more; of a single row, one more.
void widen(chip::Grid& grid) { ++(grid.rows == 1 ? grid.columns : grid.rows); }

// Twice of every rate and size that there is; one step more of what is counted.
std::vector<Change> changes_of(const chip::Machine& machine) {
  std::vector<Change> changes;
  const auto grow = [&](const char* name, chip::Grid chip::Machine::*grid, chip::NocKind noc) {
    if (noc == chip::NocKind::matrix) return;  // what a further one would cost, nobody knows
    chip::Machine wider = machine;
    widen(wider.*grid);
    changes.push_back({name, (machine.*grid).count(), (wider.*grid).count(),
                       [grid](chip::Machine& each) { widen(each.*grid); }});
  };
  grow("cores", &chip::Machine::cores, machine.chip_noc.kind);
  grow("crossbars of a core", &chip::Machine::crossbars, machine.core_noc.kind);
  const auto twice = [&](const char* name, Int now, const std::function<Int&(chip::Machine&)>& of) {
    if (now == chip::left_out || now > (Int{1} << 40)) return;
    changes.push_back({name, now, 2 * now, [of](chip::Machine& each) { of(each) *= 2; }});
  };
  twice("L0 bits", machine.l0.size, [](chip::Machine& m) -> Int& { return m.l0.size; });
  twice("L0 bandwidth", machine.l0.bandwidth, [](chip::Machine& m) -> Int& { return m.l0.bandwidth; });
  twice("L1 bits", machine.l1.size, [](chip::Machine& m) -> Int& { return m.l1.size; });
  twice("L1 bandwidth", machine.l1.bandwidth, [](chip::Machine& m) -> Int& { return m.l1.bandwidth; });
  twice("off-chip bandwidth", machine.off_chip_bandwidth,
        [](chip::Machine& m) -> Int& { return m.off_chip_bandwidth; });
  twice("chip's digital unit", machine.chip_alu, [](chip::Machine& m) -> Int& { return m.chip_alu; });
  twice("core's digital unit", machine.core_alu, [](chip::Machine& m) -> Int& { return m.core_alu; });
  if (machine.cell.parallel_rows < machine.cell.rows) {
    const Int more = std::min(2 * machine.cell.parallel_rows, machine.cell.rows);
    changes.push_back({"rows at once", machine.cell.parallel_rows, more,
                       [more](chip::Machine& each) { each.cell.parallel_rows = more; }});
  }
  return changes;
}

}  // namespace

io::Result<std::vector<ResourceGain>> explain(const io::RunOptions& options, const CompiledNetwork& compiled,
                                              double objective, bool proved) {
  std::vector<ResourceGain> gains;
  for (const Change& change : changes_of(compiled.machine)) {
    chip::Machine machine = compiled.machine;
    change.make(machine);
    const auto network = read_network(options.inputs.front(), machine, options);
    if (!network) return network.error();
    const auto problem = chip::make_problem(machine, *network);
    const auto request = request_of(options, machine.mode);
    if (!request) return request.error();
    const auto found = search(problem, *request, run_baselines(problem, request->levels), options);
    if (!found.best) continue;
    gains.push_back({change.resource, change.now, change.more, found.objective,
                     objective > 0 ? (objective - found.objective) / objective : 0,
                     proved && found.status == Status::optimal});
  }
  return gains;
}

}  // namespace nestor::app::chip_space

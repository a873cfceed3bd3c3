#include "report/cnm/explanation.h"

#include <fmt/format.h>

#include "io/cnm/system_file.h"
#include "report/tables/table.h"

namespace nestor::report {

std::vector<cnm::ChangedSystem> changed_systems(const cnm::System& system) {
  const auto twice = [](const std::string& path, Int value) {
    return std::pair(path, 2 * static_cast<double>(value));
  };
  const auto halved = [](Int cycles) {
    const Int half = cycles / 2;
    return static_cast<double>(half);
  };
  std::vector<std::pair<std::string, double>> changes;
  if (system.target == cnm::Target::upmem) {
    changes = {twice("levels." + system.levels[2].name, system.levels[2].size),
               twice("wram.capacity", system.wram.capacity),
               twice("mram.capacity", system.mram_capacity),
               {"dma.read.per_byte", system.dma.read.per_byte / 2},
               {"dma.read.setup", system.dma.read.setup / 2},
               {"pipeline.gap", halved(system.gap + 1)},
               {"ops.mul.i32", 4}};
  } else {
    changes = {twice("levels." + system.levels[0].name, system.levels[0].size),
               {"dram.tRP", halved(system.dram.tRP)},
               {"dram.tRCDRD", halved(system.dram.tRCDRD)},
               {"dram.tRFC", 0}};
  }
  std::vector<cnm::ChangedSystem> systems;
  for (const auto& [path, value] : changes) {
    const auto setting = fmt::format("{}={}", path, value);
    if (auto changed = io::with_settings(system, std::span(&setting, 1)))
      systems.push_back({path, value, std::move(*changed)});
  }
  return systems;
}

std::string changes_text(const std::vector<cnm::ChangedOptimum>& changes, double time_ms) {
  io::Table table({{"changed", io::Align::left}, {"to"}, {"time"}, {"faster by"}});
  for (const auto& change : changes)
    table.add_row({change.path, fmt::format("{}", change.value), fmt::format("{:.4f} ms", change.time_ms),
                   fmt::format("{:.2f}", time_ms / change.time_ms)});
  return table.to_string();
}

}  // namespace nestor::report

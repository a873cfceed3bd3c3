#include "report/pim/replay_table.h"

#include <fmt/format.h>

#include <numeric>

#include "report/pim/second_result.h"
#include "report/tables/units.h"

namespace nestor::report {

ReplayTable::ReplayTable(const io::pim::RunRecord& run)
    : run_(run),
      table_({{"layer", io::Align::left},
              {"repeat"},
              {"steps"},
              {"DRAM accesses"},
              {"row activations"},
              {"replay cycles"},
              {"model"},
              {"energy"}}) {}

void ReplayTable::add(io::pim::LayerRecord& record, const sim::pim::Replay& replay) {
  record.replay_cycles = replay.cycles;
  record.replay = replay_json(replay, run_.machine);
  const Int opened = std::accumulate(replay.activations.begin(), replay.activations.end(), Int{0});
  table_.add_row({record.layer.name, fmt::format("{}", record.layer.repeat), io::count_text(replay.steps),
                  io::count_text(replay.accesses), io::count_text(opened), io::count_text(replay.cycles),
                  io::count_text(record.best.evaluation->latency_cycles), io::energy_text(replay.energy_pj)});
}

std::string ReplayTable::text() const {
  return fmt::format("{} on {}, replayed\n\n{}", run_.network, run_.machine.name, table_.to_string());
}

}  // namespace nestor::report

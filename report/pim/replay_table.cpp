#include "report/pim/replay_table.h"

#include <fmt/format.h>

#include <numeric>

#include "report/keys/common.h"
#include "report/keys/machine.h"
#include "report/keys/pim.h"
#include "report/network_text.h"
#include "report/tables/units.h"

namespace nestor::report {

io::Json replay_json(const sim::pim::Replay& replay, const io::pim::NamedPimMachine& machine) {
  io::Json json = {
      {key::steps, replay.steps}, {"dram_accesses", replay.accesses}, {key::energy_pj, replay.energy_pj}};
  io::Json rows = io::Json::object();
  io::Json bits = io::Json::object();
  for (const Operand operand : all_operands) {
    const auto x = index_of(operand);
    rows[std::string(1, letter(operand))] = replay.activations[x];
    for (std::size_t m = 0; m < machine.memory_names.size(); ++m)
      if (replay.bits[m][x] > 0)
        bits[fmt::format("{}/{}", machine.memory_names[m], letter(operand))] = replay.bits[m][x];
  }
  json[key::row_activations] = std::move(rows);
  json[key::bits] = std::move(bits);
  return json;
}

ReplayTable::ReplayTable(const io::pim::PimRun& run)
    : run_(run),
      table_({{"layer", io::Align::left},
              {"repeat"},
              {"steps"},
              {"DRAM accesses"},
              {"rows opened"},
              {"cycles"},
              {"model"},
              {"energy"}}) {}

void ReplayTable::add(io::pim::PimRecord& record, const sim::pim::Replay& replay) {
  record.replay_cycles = replay.cycles;
  record.replay = replay_json(replay, run_.machine);
  const Int opened = std::accumulate(replay.activations.begin(), replay.activations.end(), Int{0});
  const Int model = record.best.evaluation->latency_cycles;
  add_row(record.layer.name, fmt::format("{}", record.layer.repeat),
          {replay.steps, replay.accesses, opened, replay.cycles, model, replay.energy_pj});
  const auto add = [&](Int& sum, Int figure) { io::add_product(sum, record.layer.repeat, figure); };
  add(totals_.steps, replay.steps);
  add(totals_.accesses, replay.accesses);
  add(totals_.rows, opened);
  add(totals_.cycles, replay.cycles);
  add(totals_.model, model);
  totals_.energy_pj += static_cast<double>(record.layer.repeat) * replay.energy_pj;
}

void ReplayTable::add_row(const std::string& name, const std::string& repeat, const Figures& row) {
  const auto error = static_cast<double>(row.model - row.cycles) / static_cast<double>(row.cycles);
  table_.add_row({name, repeat, io::count_text(row.steps), io::count_text(row.accesses),
                  io::count_text(row.rows), io::count_text(row.cycles), io::change_text(error),
                  io::energy_text(row.energy_pj)});
}

std::string ReplayTable::text() {
  if (run_.layers.size() > 1 && totals_.cycles > 0) {
    table_.add_rule();
    add_row("all, repeats counted", "", totals_);
  }
  return fmt::format("{} on {}, replayed\n\n{}{}", run_.network, run_.machine.name, table_.to_string(),
                     padded_layers_note(run_.layers));
}

}  // namespace nestor::report

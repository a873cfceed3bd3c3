#include "report/cim/replay_tables.h"

#include <fmt/format.h>

#include <array>

#include "report/tables/table.h"
#include "report/tables/units.h"

namespace nestor::report {
namespace {

constexpr std::array all_causes = {sim::cim::StallCause::mode_switch, sim::cim::StallCause::weights,
                                   sim::cim::StallCause::inputs, sim::cim::StallCause::partial_sums,
                                   sim::cim::StallCause::write_back};
static_assert(all_causes.size() == sim::cim::stall_cause_count);

double error_of(Int model_cycles, Int replay_cycles) {
  return static_cast<double>(model_cycles - replay_cycles) / static_cast<double>(replay_cycles);
}

std::string signed_percent(double share) { return fmt::format("{:+.2f} %", 100 * share); }

}  // namespace

std::string replays_text(const io::RunResult& run, const Replays& replays) {
  io::Table table({{"layer", io::Align::left},
                   {"repeat"},
                   {"steps"},
                   {"replay cycles"},
                   {"stall model"},
                   {"miredo model"},
                   {"busy"}});
  for (std::size_t i = 0; i < replays.size(); ++i) {
    const auto& layer = run.layers[i].layer;
    if (!replays[i]) {
      table.add_row({layer.name, fmt::format("{}", layer.repeat), "no mapping"});
      continue;
    }
    const auto& [replay, model] = *replays[i];
    const auto computing =
        static_cast<double>(replay.steps) * static_cast<double>(run.architecture.machine.mvm_cycles);
    table.add_row({layer.name, fmt::format("{}", layer.repeat), io::count_text(replay.steps),
                   io::count_text(replay.cycles), signed_percent(error_of(model.stall_cycles, replay.cycles)),
                   signed_percent(error_of(model.miredo_cycles, replay.cycles)),
                   io::percent_text(computing / static_cast<double>(replay.cycles))});
  }
  return fmt::format("{} on {}, replayed\n\n{}", run.network, run.architecture.name, table.to_string());
}

std::string stalls_text(const io::RunResult& run, const Replays& replays) {
  std::vector<io::Column> columns = {{"cycles waited for", io::Align::left}};
  for (const auto cause : all_causes) columns.push_back({std::string(sim::cim::name_of(cause))});
  columns.push_back({"end, after the last product"});
  io::Table table(std::move(columns));
  for (std::size_t i = 0; i < replays.size(); ++i) {
    if (!replays[i]) continue;
    std::vector<std::string> row = {run.layers[i].layer.name};
    for (const auto cause : all_causes) row.push_back(io::count_text(replays[i]->replay.stall(cause)));
    row.push_back(io::count_text(replays[i]->replay.tail_cycles));
    table.add_row(std::move(row));
  }
  return "\n" + table.to_string();
}

std::string ports_and_buffers_text(const sim::cim::ReplayResult& replay,
                                   const NamedArchitecture& architecture) {
  const auto cycles = static_cast<double>(replay.cycles);
  io::Table ports({{"port", io::Align::left},
                   {"operand", io::Align::left},
                   {"cycles each"},
                   {"inward"},
                   {"outward"},
                   {"busy"}});
  for (const auto& port : replay.ports)
    ports.add_row(
        {fmt::format("{} - {}", architecture.memory_names[port.outer], architecture.memory_names[port.inner]),
         std::string(1, letter(port.operand)), io::count_text(port.transfer_cycles),
         io::count_text(port.inward), io::count_text(port.outward),
         io::percent_text(static_cast<double>(port.busy_cycles()) / cycles)});
  io::Table buffers({{"buffer", io::Align::left},
                     {"operand", io::Align::left},
                     {"tile"},
                     {"most in use"},
                     {"mean in use"}});
  for (const auto& buffer : replay.buffers)
    buffers.add_row({architecture.memory_names[buffer.memory], std::string(1, letter(buffer.operand)),
                     io::size_text(buffer.tile_bits), io::size_text(buffer.peak_bits()),
                     io::size_text(static_cast<Int>(buffer.mean_bits(replay.cycles)))});
  return fmt::format("\n{}\n{}", ports.to_string(), buffers.to_string());
}

io::Json stalls_json(const sim::cim::ReplayResult& replay) {
  auto json = io::Json::object();
  for (const auto cause : all_causes) json[std::string(sim::cim::name_of(cause))] = replay.stall(cause);
  return json;
}

}  // namespace nestor::report

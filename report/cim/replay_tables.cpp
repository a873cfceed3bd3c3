#include "report/cim/replay_tables.h"

#include <fmt/format.h>

#include <array>

#include "report/cim/explanation.h"
#include "report/network_text.h"
#include "report/tables/table.h"
#include "report/tables/units.h"

namespace nestor::report {
namespace {

constexpr std::array all_causes = {sim::cim::StallCause::mode_switch, sim::cim::StallCause::weights,
                                   sim::cim::StallCause::inputs, sim::cim::StallCause::partial_sums,
                                   sim::cim::StallCause::write_back};
static_assert(all_causes.size() == sim::cim::stall_cause_count);

// Returns the term that `nestor map` uses for a wait (wait_word), followed by its cause.
std::string title(sim::cim::StallCause cause) {
  switch (cause) {
    case sim::cim::StallCause::mode_switch:
      return fmt::format("{}: mode switch", wait_word(Operand::W));
    case sim::cim::StallCause::weights:
      return fmt::format("{}: loading", wait_word(Operand::W));
    case sim::cim::StallCause::inputs:
      return std::string(wait_word(Operand::I));
    case sim::cim::StallCause::partial_sums:
      return fmt::format("{}: partial sums", wait_word(Operand::O));
    case sim::cim::StallCause::write_back:
      break;
  }
  return fmt::format("{}: write-back", wait_word(Operand::O));
}

// Figures of one layer, or of all layers multiplied by their repeats. Doubles are used because a replay can
// take 2^62 cycles.
struct ReplayTotals {
  double steps = 0;
  double cycles = 0;
  double stall = 0;
  double miredo = 0;
};

std::string large_count(double count) {
  constexpr double most_digits = 9e15;
  return count < most_digits ? io::count_text(static_cast<Int>(count)) : io::figure_text(count);
}

double error_of(double model_cycles, double replay_cycles) {
  return (model_cycles - replay_cycles) / replay_cycles;
}

}  // namespace

std::string replays_text(const io::CimRun& run, const Replays& replays) {
  io::Table table({{"layer", io::Align::left},
                   {"repeat"},
                   {"steps"},
                   {"replay cycles"},
                   {"stall model"},
                   {"miredo model"},
                   {"busy"}});
  ReplayTotals totals;
  const auto mvm = static_cast<double>(run.machine.machine.mvm_cycles);
  const auto add_row = [&](const std::string& name, const std::string& repeat, const ReplayTotals& row) {
    table.add_row({name, repeat, large_count(row.steps), large_count(row.cycles),
                   io::change_text(error_of(row.stall, row.cycles)),
                   io::change_text(error_of(row.miredo, row.cycles)),
                   io::percent_text(row.steps * mvm / row.cycles)});
  };
  for (std::size_t i = 0; i < replays.size(); ++i) {
    const auto& layer = run.layers[i].layer;
    if (!replays[i]) {
      table.add_row({layer.name, fmt::format("{}", layer.repeat), "no mapping"});
      continue;
    }
    const auto& [replay, model] = *replays[i];
    const ReplayTotals row{static_cast<double>(replay.steps), static_cast<double>(replay.cycles),
                           static_cast<double>(model.stall_cycles), static_cast<double>(model.miredo_cycles)};
    add_row(layer.name, fmt::format("{}", layer.repeat), row);
    const auto repeat = static_cast<double>(layer.repeat);
    totals.steps += repeat * row.steps;
    totals.cycles += repeat * row.cycles;
    totals.stall += repeat * row.stall;
    totals.miredo += repeat * row.miredo;
  }
  if (replays.size() > 1 && totals.cycles > 0) {
    table.add_rule();
    add_row("all, repeats counted", "", totals);
  }
  return fmt::format("{} on {}, replayed\n\n{}{}", run.network, run.machine.name, table.to_string(),
                     padded_layers_note(run.layers));
}

std::string stalls_text(const io::CimRun& run, const Replays& replays) {
  std::vector<io::Column> columns = {{"cycles waited for", io::Align::left}};
  for (const auto cause : all_causes) columns.push_back({title(cause)});
  columns.push_back({"end, after the last step"});
  io::Table table(std::move(columns));
  std::array<double, all_causes.size() + 1> totals{};
  for (std::size_t i = 0; i < replays.size(); ++i) {
    if (!replays[i]) continue;
    std::vector<std::string> row = {run.layers[i].layer.name};
    const auto repeat = static_cast<double>(run.layers[i].layer.repeat);
    for (std::size_t c = 0; c <= all_causes.size(); ++c) {
      const auto& replay = replays[i]->replay;
      const Int cycles = c < all_causes.size() ? replay.stall(all_causes[c]) : replay.tail_cycles;
      row.push_back(io::count_text(cycles));
      totals[c] += repeat * static_cast<double>(cycles);
    }
    table.add_row(std::move(row));
  }
  if (replays.size() > 1) {
    std::vector<std::string> row = {"all, repeats counted"};
    for (const double cycles : totals) row.push_back(large_count(cycles));
    table.add_rule();
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

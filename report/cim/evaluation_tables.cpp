#include "report/cim/evaluation_tables.h"

#include <fmt/format.h>

#include "report/cim/totals.h"
#include "report/network_text.h"
#include "report/tables/table.h"
#include "report/tables/units.h"

namespace nestor::report {

std::string evaluations_text(const io::CimRun& run, const Evaluations& evaluations, cim::LatencyModel model) {
  const auto& machine = run.machine.machine;
  io::Table table({{"layer", io::Align::left},
                   {"repeat"},
                   {"miredo cycles"},
                   {"stall cycles"},
                   {"energy"},
                   {"EDP pJ*cycles"},
                   {"utilisation"}});
  for (std::size_t i = 0; i < evaluations.size(); ++i) {
    const auto& layer = run.layers[i].layer;
    const auto& evaluation = evaluations[i];
    if (!evaluation) {
      table.add_row({layer.name, fmt::format("{}", layer.repeat), "no mapping"});
      continue;
    }
    const auto macs = product_of<double>(layer.shape.bounds);
    table.add_row({layer.name, fmt::format("{}", layer.repeat), io::count_text(evaluation->miredo_cycles),
                   io::count_text(evaluation->stall_cycles),
                   io::energy_text(evaluation->total_energy_pj(machine, model)),
                   io::figure_text(evaluation->edp(machine, model)),
                   io::percent_text(utilisation(macs, evaluation->cycles(model), machine))});
  }
  const auto totals = io::compute_totals(run);
  if (evaluations.size() > 1) {
    const bool is_miredo = model == cim::LatencyModel::miredo;
    const auto cycles = io::count_text(totals.latency_cycles);
    table.add_rule();
    table.add_row(
        {"all, repeats counted", "", is_miredo ? cycles : "", is_miredo ? "" : cycles,
         io::energy_text(totals.energy_pj), io::figure_text(totals.edp),
         io::percent_text(utilisation(static_cast<double>(totals.macs), totals.latency_cycles, machine))});
  }
  auto text = fmt::format("{} on {}, latency model {}\n\n{}", run.network, run.machine.name,
                          run.objective.latency_model, table.to_string());
  if (const auto notes = padded_layers_text(run.layers) + totals_text(totals, machine); !notes.empty())
    text += "\n" + notes;
  return text;
}

std::string components_text(const cim::CimEvaluation& evaluation, const NamedArchitecture& architecture) {
  io::Table table({{"memory", io::Align::left},
                   {"operand", io::Align::left},
                   {"energy"},
                   {"share"},
                   {"read inward"},
                   {"written from inside"}});
  const auto share = [&](double energy) {
    return evaluation.energy_pj > 0 ? io::percent_text(energy / evaluation.energy_pj) : "";
  };
  for (std::size_t m = 0; m < architecture.machine.memories.size(); ++m)
    for (const Operand operand : all_operands) {
      if (!evaluation.used[m].contains(operand)) continue;
      const auto x = index_of(operand);
      const double energy = evaluation.memory_energy_pj[m][x];
      const auto bits = [](Int count) { return count > 0 ? io::size_text(count) : std::string(); };
      table.add_row({architecture.memory_names[m], std::string(1, letter(operand)),
                     io::part_energy_text(energy, evaluation.energy_pj), share(energy),
                     bits(evaluation.read_bits[m][x]), bits(evaluation.write_bits[m][x])});
    }
  table.add_row({"compute", "", io::part_energy_text(evaluation.compute_energy_pj, evaluation.energy_pj),
                 share(evaluation.compute_energy_pj)});
  return "\n" + table.to_string();
}

}  // namespace nestor::report

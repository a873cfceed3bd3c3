// nestor evaluate: what given mappings cost, under both latency models, with energy, traffic and usage.
#include "app/cim/cim.h"
#include "app/console.h"
#include "app/inputs.h"
#include "app/output.h"
#include "io/evaluation_json.h"
#include "io/table.h"
#include "io/units.h"
#include "report/totals.h"

namespace nestor::app::cim_space {
namespace {

using Evaluations = std::vector<std::optional<cim::Evaluation>>;

void print_layers(const io::RunResult& run, const Evaluations& evaluations, cim::LatencyModel model) {
  const auto& machine = run.architecture.machine;
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
    const auto macs = static_cast<double>(evaluation->macs);
    table.add_row({layer.name, fmt::format("{}", layer.repeat), io::count_text(evaluation->miredo_cycles),
                   io::count_text(evaluation->stall_cycles),
                   io::energy_text(evaluation->total_energy_pj(machine, model)),
                   io::figure_text(evaluation->edp(machine, model)),
                   io::percent_text(report::utilisation(macs, evaluation->cycles(model), machine))});
  }
  const auto totals = io::compute_totals(run.layers);
  if (evaluations.size() > 1) {
    const bool is_miredo = model == cim::LatencyModel::miredo;
    const auto cycles = io::count_text(totals.latency_cycles);
    table.add_rule();
    table.add_row({"all, repeats counted", "", is_miredo ? cycles : "", is_miredo ? "" : cycles,
                   io::energy_text(totals.energy_pj), io::figure_text(totals.edp),
                   io::percent_text(report::utilisation(static_cast<double>(totals.macs),
                                                        totals.latency_cycles, machine))});
  }
  print("{} on {}, latency model {}\n\n{}", run.network, run.architecture.name, run.latency_model,
        table.to_string());
  if (const auto text = report::totals_text(totals, machine); !text.empty()) print("\n{}\n", text);
}

// Where the energy goes and what crosses each memory's inner border.
void print_components(const cim::Evaluation& evaluation, const NamedArchitecture& architecture) {
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
      table.add_row({architecture.memory_names[m], std::string(1, letter(operand)), io::energy_text(energy),
                     share(energy), bits(evaluation.read_bits[m][x]), bits(evaluation.write_bits[m][x])});
    }
  table.add_row(
      {"compute", "", io::energy_text(evaluation.compute_energy_pj), share(evaluation.compute_energy_pj)});
  print("\n{}", table.to_string());
}

}  // namespace

io::Result<Outcome> evaluate(const io::RunOptions& options) {
  auto run = read_mapped_layers(options, io::Verb::evaluate);
  if (!run) return run.error();
  if (const auto error = normalise_and_check(*run, options)) return *error;

  const auto model = io::latency_model_named(run->latency_model);
  Evaluations evaluations;
  for (auto& layer : run->layers) {
    auto& evaluation = evaluations.emplace_back();
    if (!layer.best.mapping) continue;
    evaluation = cim::evaluate(layer.layer.shape, run->architecture.machine, *layer.best.mapping);
    io::set_figures(layer, *evaluation, run->architecture, model);
    layer.evaluation = io::evaluation_to_json(*evaluation, run->architecture);
  }

  if (prints_tables(options)) {
    print_layers(*run, evaluations, model);
    if (evaluations.size() == 1 && evaluations.front())
      print_components(*evaluations.front(), run->architecture);
  }
  if (const auto error = write_json_output(options, io::result_to_json(*run))) return *error;
  return Outcome::solved;
}

}  // namespace nestor::app::cim_space

// nestor map on a PIM machine: the best mapping of every layer with its layouts, a bound and a status.
#include "app/console.h"
#include "app/interrupt.h"
#include "app/nest_map.h"
#include "app/pim/map_request.h"
#include "app/pim/pim.h"
#include "mapper/pim/one_table.h"
#include "report/padding_hints.h"
#include "report/pim/map_tables.h"
#include "report/pim/mapped_record.h"
#include "report/results/pim/texts.h"

namespace nestor::app::pim_space {
namespace {

namespace mapping = mapper::pim;
using io::pim::RunRecord;

constexpr std::size_t program_memory = std::size_t{20} << 20U;

io::Result<RunRecord> read_task(const io::RunOptions& options) {
  if (auto error = check_map_inputs(options)) return *error;
  auto machine = io::pim::read_machine(options.arch, options.settings);
  if (!machine) return machine.error();
  auto task = read_map_task(options, machine->machine, [&](const LayerShape& shape) {
    return nestor::pim::admit(shape, machine->machine);
  });
  if (!task) return task.error();
  RunRecord run;
  begin_run(run, std::move(*task), options);
  run.machine = std::move(*machine);
  return run;
}

io::MaybeError map_all(RunRecord& run, std::span<const Layer> layers, const UniqueShapes& shapes,
                       const mapping::PimRequest& request, const mapping::Resources& resources,
                       const io::RunOptions& options, report::Checkpoint& checkpoint,
                       report::ProofWriter& proof, std::string& hints) {
  RunReporter<RunRecord, mapping::PimLayerMap> reporter(
      run,
      [&](std::size_t layer, std::size_t /*first*/, const mapping::PimLayerMap& map) {
        report::set_result(run.layers[layer], map);
      },
      io::pim::run_to_json, layers, shapes, checkpoint, proof, options);
  const auto maps =
      mapper::map_network(layers, shapes.shapes, run.machine.machine, request, resources, &reporter);
  reporter.close();
  for (std::size_t s = 0; s < maps.size(); ++s) {
    auto& first = run.layers[shapes.shapes[s].first];
    if (maps[s].fault != mapper::Fault::none) return disagreement(first.layer.name, maps[s].fault);
    if (!options.explain || maps[s].best.empty()) continue;
    const auto found =
        mapping::explain_layer(first.layer.shape, run.machine.machine, request, maps[s], resources);
    if (const auto fault = mapper::fault_of(found); fault != mapper::Fault::none)
      return disagreement(first.layer.name, fault);
    report::explain(first, found, run.machine);
  }
  if (prints_tables(options))
    hints = report::padding_hints_text(
        layers, shapes,
        mapper::look_at_paddings(layers, shapes.shapes, run.machine.machine, request, maps, resources),
        run.objective.name, [&](double value) { return report::objective_text(run, value); });
  return std::nullopt;
}

io::MaybeError map_with_one_table(RunRecord& run, std::span<const Layer> layers, const UniqueShapes& shapes,
                                  const mapping::PimRequest& request, const mapping::Resources& resources,
                                  bool keeps_times) {
  auto maps = mapping::map_with_one_table(layers, shapes.shapes, run.machine.machine, request, resources);
  if (maps.fault != mapper::Fault::none) return disagreement(run.network, maps.fault);
  for (auto& map : maps.shapes)
    if (!keeps_times) map.search.forget_times();
  for (std::size_t i = 0; i < run.layers.size(); ++i) {
    if (maps.shapes.empty()) {
      run.layers[i].status = maps.status;
      continue;
    }
    const auto& map = maps.shapes[shapes.shape_of_layer[i]];
    report::set_result(run.layers[i], map);
    if (maps.status != Status::optimal) run.layers[i].status = maps.status;
  }
  run.table = maps.table;
  return std::nullopt;
}

}  // namespace

io::Result<ExitStatus> map(const io::RunOptions& options) {
  auto run = read_task(options);
  if (!run) return run.error();
  // With the hybrid formulas, one bypass table for all layers is not tested against brute force, so it is
  // refused.
  if (run->machine.machine.row_model == nestor::pim::RowModel::hybrid && options.fix_bypass)
    return io::usage_error("--fix-bypass cannot be used with row_model hybrid: each layer has its own table");
  const auto request = request_of(options, run->machine, &*run);
  if (!request) return request.error();
  const auto network = network_objective(options);
  if (!network) return network.error();
  const auto layers = layers_of(*run);
  const auto shapes = unique_shapes(layers);
  if (!shapes) return io::input_error({}, "the sum of the layers' repeats is too large");
  const auto executor = make_executor(options.executor, static_cast<int>(options.threads));
  MemoryBudget memory(search_memory(options, program_memory));
  mapping::Resources resources{*executor, memory};
  resources.interrupted = &watch_signals();
  const auto begin = program_start();
  resources.deadline = deadline_after(options.run_time_limit, begin);
  report::Checkpoint checkpoint(options.checkpoint, std::chrono::duration<double>(options.every),
                                shapes->shapes.size(), memory);
  if (auto error = checkpoint.begin([&] { return io::pim::run_to_json(*run); }, options.resume))
    return *error;
  report::ProofWriter proof(options.proof, shapes->shapes.size());
  std::string hints;
  if (const auto error =
          options.fix_bypass
              ? map_with_one_table(*run, layers, *shapes, *request, resources, !options.no_times)
              : map_all(*run, layers, *shapes, *request, resources, options, checkpoint, proof, hints))
    return *error;
  std::vector<LayerPoints> fronts;
  if (options.scope == io::Scope::network) {
    fronts = points_of(*run, [&](const io::pim::MappedPimPoint& point) {
      return mapper::FrontPoint{point.evaluation->latency_cycles,
                                point.evaluation->total_energy_pj(run->machine.machine)};
    });
    run->optimum = choose_for_network(fronts, *shapes, options, *network, resources);
  }
  const double seconds = options.no_times ? 0 : seconds_since(begin);
  const auto json = io::pim::run_to_json(*run);
  Outputs outputs;
  outputs.add(checkpoint.catch_up(true));
  if (proof.is_wanted()) outputs.add(proof.write(json, run->machine.axis_names, *shapes));
  outputs.add(write_json_output(options, json));
  if (prints_tables(options)) print_text(report::map_tables_text(*run, options, seconds) + hints);
  if (prints_tables(options) && run->optimum) print_text(network_optimum_text(*run->optimum, fronts));
  if (run->optimum && run->optimum->status == Status::infeasible && has_points(fronts))
    return outputs.end(limits_not_kept(fronts, *network));
  if (options.fix_bypass && run->layers.front().status == Status::infeasible)
    return outputs.end(
        io::infeasible_error(fmt::format("no bypass table suits all layers on {}", run->machine.name)));
  auto end = verdict(*run, run->machine, *request, resources);
  if (run->optimum && end && *end == ExitStatus::solved && run->optimum->status != Status::optimal)
    end = limited_by(to_string(run->optimum->status));
  return outputs.end(end);
}

}  // namespace nestor::app::pim_space

// nestor simulate: given mappings replayed event by event, with the waits by cause and the use of every port
// and buffer.
#include "app/cim/cim.h"
#include "app/console.h"
#include "app/inputs.h"
#include "app/output.h"
#include "io/progress.h"
#include "io/table.h"
#include "io/trace/trace_file.h"
#include "io/units.h"
#include "model/cim/evaluate.h"
#include "sim/cim/replay.h"

namespace nestor::app::cim_space {
namespace {

constexpr std::array all_causes = {sim::StallCause::mode_switch, sim::StallCause::weights,
                                   sim::StallCause::inputs, sim::StallCause::partial_sums,
                                   sim::StallCause::write_back};
static_assert(all_causes.size() == sim::stall_cause_count);

struct Replayed {
  sim::ReplayResult replay;
  cim::Evaluation model;
};
using Replays = std::vector<std::optional<Replayed>>;

io::MaybeError refusal(const io::LayerResult& record, sim::ReplayStatus status,
                       const sim::ReplayOptions& limits) {
  switch (status) {
    case sim::ReplayStatus::complete:
      return std::nullopt;
    case sim::ReplayStatus::step_limit:
      return io::input_error({}, fmt::format("layer '{}': more than {} steps to simulate", record.layer.name,
                                             io::count_text(limits.step_limit)));
    case sim::ReplayStatus::too_long:
      return io::input_error({},
                             fmt::format("layer '{}': the replay may pass 2^62 cycles", record.layer.name));
    case sim::ReplayStatus::malformed:
      break;
  }
  return io::internal_error(
      fmt::format("layer '{}': the replay does not accept a legal mapping", record.layer.name));
}

double error_of(Int model_cycles, Int replay_cycles) {
  return static_cast<double>(model_cycles - replay_cycles) / static_cast<double>(replay_cycles);
}

std::string signed_percent(double share) { return fmt::format("{:+.2f} %", 100 * share); }

void print_layers(const io::RunResult& run, const Replays& replays) {
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
  print("{} on {}, replayed\n\n{}", run.network, run.architecture.name, table.to_string());
}

void print_stalls(const io::RunResult& run, const Replays& replays) {
  std::vector<io::Column> columns = {{"cycles waited for", io::Align::left}};
  for (const auto cause : all_causes) columns.push_back({std::string(sim::name_of(cause))});
  columns.push_back({"end, after the last product"});
  io::Table table(std::move(columns));
  for (std::size_t i = 0; i < replays.size(); ++i) {
    if (!replays[i]) continue;
    std::vector<std::string> row = {run.layers[i].layer.name};
    for (const auto cause : all_causes) row.push_back(io::count_text(replays[i]->replay.stall(cause)));
    row.push_back(io::count_text(replays[i]->replay.tail_cycles));
    table.add_row(std::move(row));
  }
  print("\n{}", table.to_string());
}

void print_ports_and_buffers(const sim::ReplayResult& replay, const NamedArchitecture& architecture) {
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
  print("\n{}\n{}", ports.to_string(), buffers.to_string());
}

io::Json stalls_to_json(const sim::ReplayResult& replay) {
  auto json = io::Json::object();
  for (const auto cause : all_causes) json[std::string(sim::name_of(cause))] = replay.stall(cause);
  return json;
}

// A trace shows one layer: the only one, or the one that --layer names.
io::MaybeError write_timeline(const io::RunResult& run, const std::string& path) {
  if (run.layers.size() != 1)
    return io::usage_error(
        fmt::format("--trace shows one layer, found {}: choose one with --layer", run.layers.size()));
  const auto& record = run.layers.front();
  if (!record.best.mapping) return io::usage_error("--trace: the layer has no mapping");
  const auto trace = io::make_trace(record.layer.shape, run.architecture, *record.best.mapping);
  if (!trace.complete)
    std::fputs("nestor: the trace is cut at its size limit; it holds the first events\n", stderr);
  return io::write_trace(path, trace);
}

}  // namespace

io::Result<Outcome> simulate(const io::RunOptions& options) {
  auto run = read_mapped_layers(options, io::Verb::simulate);
  if (!run) return run.error();
  if (const auto error = normalise_and_check(*run, options)) return *error;

  const auto& machine = run->architecture.machine;
  sim::ReplayOptions replay_options;
  replay_options.plain = options.plain;
  Replays replays;
  io::ProgressLine progress;
  for (auto& record : run->layers) {
    auto& replayed = replays.emplace_back();
    if (progress.due())
      progress.show(fmt::format("layer {} of {}, {}", replays.size(), run->layers.size(), record.layer.name));
    if (!record.best.mapping) continue;
    const auto& mapping = *record.best.mapping;
    replayed = {sim::replay(record.layer.shape, machine, mapping, replay_options),
                cim::evaluate(record.layer.shape, machine, mapping)};
    if (const auto error = refusal(record, replayed->replay.status, replay_options)) return *error;
    io::set_figures(record, replayed->model, run->architecture, io::latency_model_named(run->latency_model));
    record.replay_cycles = replayed->replay.cycles;
    record.stalls = stalls_to_json(replayed->replay);
  }
  progress.clear();

  if (prints_tables(options)) {
    print_layers(*run, replays);
    print_stalls(*run, replays);
    if (replays.size() == 1 && replays.front())
      print_ports_and_buffers(replays.front()->replay, run->architecture);
  }
  if (!options.trace.empty())
    if (const auto error = write_timeline(*run, options.trace)) return *error;
  if (const auto error = write_json_output(options, io::result_to_json(*run))) return *error;
  return Outcome::solved;
}

}  // namespace nestor::app::cim_space

#include "app/map_task.h"

#include <malloc.h>

#include "app/memory.h"
#include "io/constraint_file.h"
#include "io/find_data.h"
#include "model/workload/groups.h"
#include "report/proof_writer.h"
#include "report/results/node_json.h"
#include "report/results/violation_text.h"
#include "report/run_record.h"

namespace nestor::app {

io::MaybeError check_map_inputs(const io::RunOptions& options) {
  if (options.inputs.empty())
    return io::usage_error("no network given: expected a built-in name, a layer file or an ONNX model");
  if (options.arch.empty())
    return io::usage_error("missing --arch ARCH (`nestor show --list` lists built-in machines)");
  return std::nullopt;
}

io::Result<MapTask> read_map_task(const io::RunOptions& options, const Hierarchy& machine,
                                  const std::function<Refusal(const LayerShape&)>& admit) {
  struct ReadLayer {
    Layer layer;
    const std::string* input;
  };
  MapTask task;
  std::vector<ReadLayer> read;
  task.inputs.push_back(report::describe_input("architecture", options.arch, io::DataKind::architecture));
  for (const auto& input : options.inputs) {
    auto network = read_network(input, options);
    if (!network) return network.error();
    remark_untranslated(input, network->untranslated);
    groups_to_dimension(network->layers, machine);
    task.inputs.push_back(report::describe_input("layers", input, io::DataKind::network));
    task.network += (task.network.empty() ? "" : " + ") + network->name;
    for (const Layer& layer : network->layers) read.push_back({layer, &input});
    task.unmapped.insert(task.unmapped.end(), network->unmapped.begin(), network->unmapped.end());
  }
  const auto name_of = [](const ReadLayer& each) -> const std::string& { return each.layer.name; };
  if (auto error = keep_named(read, task.network, options.layer, name_of)) return *error;
  for (ReadLayer& each : read) {
    const auto refusal = admit(each.layer.shape);
    if (refusal != Refusal::none)
      return io::input_error({*each.input},
                             fmt::format("layer '{}': {}", each.layer.name, io::refusal_text(refusal)));
    task.layers.push_back(std::move(each.layer));
  }
  return task;
}

void set_request(mapper::NestRequest& request, const io::RunOptions& options) {
  request.method = options.map_method;
  request.fix({});
  request.pareto = options.pareto || options.scope == io::Scope::network;
  request.padding = {.percent = options.pad, .to_multiples = options.pad_auto};
  if (options.factors == io::Factors::flexible)
    request.flexible = {.least_factors = static_cast<int>(options.least_factors),
                        .most_loss = options.factor_loss,
                        .weights = options.factor_weights};
  request.relative_gap = options.gap / 100;
  request.seed = static_cast<std::uint64_t>(options.seed);
  request.samples = static_cast<int>(options.samples);
  request.top = static_cast<std::size_t>(options.top);
  request.break_ties = !request.pareto;
  if (options.work_limit) request.work_limit = static_cast<std::uint64_t>(*options.work_limit);
  request.layer_seconds = options.layer_time_limit;
}

io::MaybeError set_constraints(const io::RunOptions& options, const Hierarchy& machine,
                               const HierarchyNames& names, mapper::NestRequest& request, io::RunHead* run) {
  if (options.fix.empty()) return std::nullopt;
  const auto text = io::read_file(options.fix, io::DocumentLimits{}.bytes);
  if (!text) return text.error();
  const auto constraints = io::parse_constraints(*text, options.fix, machine, names);
  if (!constraints) return constraints.error();
  request.fix(*constraints);
  if (run == nullptr) return std::nullopt;
  if (!options.proof.empty() &&
      (!constraints->outer_loops.empty() || constraints->stationary != OperandSet()))
    return io::usage_error(
        "--proof supports only axes and memories of --fix: nestor-check has no rules for outer_loops and "
        "stationary");
  run->constraints = io::node_to_json(io::Document::parse(*text, options.fix)->root());
  run->inputs.push_back(report::describe_text("constraints", options.fix, *text));
  return std::nullopt;
}

std::size_t search_memory(const io::RunOptions& options, std::size_t program) {
  constexpr std::size_t scarce = std::size_t{512} << 20U;
  constexpr int returned_block = 64 << 10;
  const auto limit = memory_limit(options);
#ifdef M_MMAP_THRESHOLD
  if (limit <= scarce) mallopt(M_MMAP_THRESHOLD, returned_block);
#endif
  const std::size_t proof = options.proof.empty() ? 0 : report::ProofWriter::memory;
  return limit - std::min(limit / 2, program + proof);
}

}  // namespace nestor::app

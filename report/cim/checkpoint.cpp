#include "report/cim/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "io/options.h"
#include "io/output_file.h"
#include "mapper/cim/check.h"
#include "mapper/cim/setup.h"
#include "report/keys/common.h"
#include "report/results/checkpoint_file.h"
#include "solver/engine/engine.h"

namespace nestor::report {
namespace {

using mapper::LayerMap;
using mapper::MappedLayer;

// Options that change neither what is found of a layer nor whether it counts as finished. The limits on time
// and memory do change what is found where they stop a search; such a layer is not finished. Of files the
// content is compared.
constexpr std::array<std::string_view, 10> free_options = {
    "json",         "nests", "explain", "threads", "executor", "time-limit", "layer-time-limit",
    "memory-limit", "arch",  "fix"};

// Ended by itself or by a limit that is the same on every machine.
bool is_finished(const std::optional<Status>& status) {
  return status == Status::optimal || status == Status::gap_reached || status == Status::infeasible ||
         status == Status::work_limit;
}

io::LayerResult unfinished(const Layer& layer) {
  io::LayerResult record;
  record.layer = layer;
  return record;
}

// What one side has and the other has not, in words; empty if they agree.
std::string difference(std::string_view what, const std::string& saved, const std::string& now) {
  if (saved == now) return {};
  const auto shown = [](const std::string& text) {
    return text.empty() ? "none" : fmt::format("'{}'", text);
  };
  return fmt::format("{} is {}, here {}", what, shown(saved), shown(now));
}

using Pairs = std::vector<std::pair<std::string, std::string>>;

// What an option that was not given says, too.
std::string value_of(const Pairs& pairs, const std::string& name) {
  const auto found =
      std::find_if(pairs.begin(), pairs.end(), [&](const auto& pair) { return pair.first == name; });
  if (found != pairs.end()) return found->second;
  const auto* const option = io::find_option(io::Verb::map, name);
  return option == nullptr ? std::string() : option->get(io::RunOptions{});
}

std::string option_difference(const Pairs& saved, const Pairs& now) {
  for (const auto* pairs : {&saved, &now})
    for (const auto& [name, value] : *pairs) {
      if (std::find(free_options.begin(), free_options.end(), name) != free_options.end()) continue;
      const auto text = difference("--" + name, value_of(saved, name), value_of(now, name));
      if (!text.empty()) return text;
    }
  return {};
}

// Of inputs the content counts, whatever their names.
std::string input_difference(const io::RunResult& saved, const io::RunResult& now) {
  for (std::size_t i = 0; i < std::max(saved.inputs.size(), now.inputs.size()); ++i) {
    const io::ResultInput none;
    const auto& a = i < saved.inputs.size() ? saved.inputs[i] : none;
    const auto& b = i < now.inputs.size() ? now.inputs[i] : none;
    const auto& role = a.role.empty() ? b.role : a.role;
    auto text = difference("input", a.role, b.role);
    if (text.empty())
      text = difference(fmt::format("the content of {} '{}'", role, b.name), a.digest, b.digest);
    if (!text.empty()) return text;
  }
  return {};
}

std::string layer_difference(const io::RunResult& saved, const io::RunResult& now) {
  auto text = difference("the number of layers", fmt::format("{}", saved.layers.size()),
                         fmt::format("{}", now.layers.size()));
  for (std::size_t i = 0; i < now.layers.size() && text.empty(); ++i)
    if (saved.layers[i].layer != now.layers[i].layer)
      text = fmt::format("layer {} is another one than '{}' here", i + 1, now.layers[i].layer.name);
  return text;
}

// Why a checkpoint is not of this run; empty if it is.
std::string difference_of(const io::RunResult& saved, const io::RunResult& now) {
  const auto architecture_of = [](const io::RunResult& run) {
    return io::to_text(io::result_to_json(run).at(key::architecture));
  };
  for (const auto& text :
       {difference("version", saved.version, now.version), difference("verb", saved.verb, now.verb),
        difference("kind", saved.space, now.space), difference("network", saved.network, now.network),
        difference("objective", saved.objective, now.objective),
        difference("latency model", saved.latency_model, now.latency_model),
        option_difference(saved.options, now.options), input_difference(saved, now),
        layer_difference(saved, now)})
    if (!text.empty()) return text;
  return architecture_of(saved) == architecture_of(now) ? "" : "the architecture is another one";
}

// A mapping as it left the mapper, with its figures computed afresh; nothing if it is not what is said of it.
std::optional<MappedLayer> mapped_layer(const io::MappedPoint& point, const io::LayerResult& record,
                                        const Architecture& machine, const mapper::Request& request) {
  if (!point.mapping) return std::nullopt;
  const auto problem = mapper::problem_of(point.nest(record.layer.shape), machine, request);
  MappedLayer mapped;
  if (mapper::check(problem, *point.mapping, mapped) != mapper::Fault::none) return std::nullopt;
  const auto model = request.objective.latency_model;
  const bool same = (!point.objective || *point.objective == mapped.objective) &&
                    point.latency_cycles == mapped.evaluation.cycles(model) &&
                    point.energy_pj == mapped.evaluation.total_energy_pj(machine, model);
  return same ? std::optional(mapped) : std::nullopt;
}

// Optimal is what reaches its bound, infeasible what has no mapping. Of a front the points count.
bool agrees_with_its_status(const LayerMap& map, const mapper::Request& request) {
  const auto gap = map.gap();
  if (map.status == Status::infeasible) return map.best.empty() && map.front.empty();
  if (request.pareto) return !map.front.empty() || map.status != Status::optimal;
  if (map.status == Status::optimal) return gap && std::abs(*gap) <= cost_tolerance;
  if (map.status == Status::gap_reached) return gap && *gap <= request.relative_gap + cost_tolerance;
  return true;
}

std::optional<LayerMap> layer_map(const io::LayerResult& record, const Architecture& machine,
                                  const mapper::Request& request) {
  LayerMap map;
  map.status = *record.status;
  map.bound = record.lower_bound;
  const auto take = [&](const io::MappedPoint& point, std::vector<MappedLayer>& list) {
    const auto mapped = mapped_layer(point, record, machine, request);
    if (mapped) list.push_back(*mapped);
    return mapped.has_value();
  };
  if (record.best.mapping && !take(record.best, map.best)) return std::nullopt;
  for (const auto& point : record.alternatives)
    if (!take(point, map.best)) return std::nullopt;
  for (const auto& point : record.front)
    if (!take(point, map.front)) return std::nullopt;
  if (!record.search || !agrees_with_its_status(map, request)) return std::nullopt;
  map.search.counts.expanded = static_cast<std::uint64_t>(record.search->nodes);
  map.search.counts.generated = static_cast<std::uint64_t>(record.search->labels);
  for (const auto& [bound, count] : record.search->pruned) {
    if (bound == "bound") map.search.counts.cut = static_cast<std::uint64_t>(count);
    if (bound == "dominated") map.search.counts.dominated = static_cast<std::uint64_t>(count);
  }
  map.search.seconds = record.search->seconds;
  for (const auto& incumbent : record.search->incumbents)
    map.search.incumbents.push_back({incumbent.seconds, incumbent.objective});
  return map;
}

}  // namespace

io::Result<std::vector<std::optional<LayerMap>>> resumed_maps(const std::string& path,
                                                              const io::RunResult& run,
                                                              const UniqueShapes& shapes,
                                                              const mapper::Request& request) {
  std::vector<std::optional<LayerMap>> maps(shapes.shapes.size());
  if (path.empty()) return maps;
  const auto saved = io::read_checkpoint(path);
  if (!saved) return saved.error();
  const auto text = difference_of(*saved, run);
  if (!text.empty()) return io::input_error({path}, "is a checkpoint of another run: its " + text);
  for (std::size_t i = 0; i < maps.size(); ++i) {
    const auto& record = saved->layers[shapes.shapes[i].first];
    if (!is_finished(record.status)) continue;
    maps[i] = layer_map(record, run.architecture.machine, request);
    if (!maps[i])
      return io::input_error(
          {path}, fmt::format("layer '{}': its mapping is not what is said of it", record.layer.name));
  }
  return maps;
}

io::MaybeError CheckpointWriter::check() const {
  if (path_.empty() || io::is_replaced(path_)) return std::nullopt;
  return io::usage_error(fmt::format("--checkpoint is '{}', expected a regular file", path_));
}

io::MaybeError CheckpointWriter::catch_up(const io::RunResult& run, bool at_end) {
  const auto now = Clock::now();
  if (path_.empty() || failure_ || !behind_ || (!at_end && now < next_write_)) return failure_;
  io::RunResult finished = run;
  finished.complete = false;
  for (auto& record : finished.layers)
    if (!is_finished(record.status)) record = unfinished(record.layer);
  failure_ = io::write_checkpoint(path_, finished);
  // Small layers end faster than a file is written.
  constexpr int share_of_time = 10;
  const auto wait = std::max<std::chrono::duration<double>>(interval_, share_of_time * (Clock::now() - now));
  next_write_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(wait);
  behind_ = false;
  return failure_;
}

}  // namespace nestor::report

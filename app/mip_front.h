// MIP models of a loop-nest space. This file turns the layers of a run into programs, writes and reads
// MODEL.json, and imports the mapping of a solution. The differences between spaces are in a traits type
// `Space` (app/cim/mip.cpp, app/pim/mip.cpp):
//
//     the members of the traits of the space's other verbs (app/cim/nests.h, app/pim/nests.h)
//     Program                            the mapper's program of one layer
//     formulation, own_keys              a value in MODEL.json, and the keys that only this space writes
//     check_machine(machine), program_of(...), program_again(problem, best)
//     put_own(json, problem, words), own_words(map, words)    write and read the values of own_keys
//     problem(shape, machine, words)     the problem of a written model, without constraints and factors
//     nest_of(best)                                           the loop nest of the mapper's best mapping
//     import(origin, problem, nest, head)                     a mapping, checked and evaluated, as a result
#pragma once

#include <fmt/format.h>

#include <limits>

#include "app/interrupt.h"
#include "app/map_task.h"
#include "app/mip.h"
#include "io/constraint_file.h"
#include "io/layer_file.h"
#include "mapper/loopnest/resources.h"
#include "report/mip/sidecar.h"
#include "report/results/result_parts.h"
#include "report/results/violation_text.h"
#include "report/run_record.h"

namespace nestor::app {

/// The origin of a model: machine, layer, options and inputs.
template <typename Space>
struct MipOrigin {
  typename Space::Machine machine;
  Layer layer;
  io::RunOptions words;     ///< objective, weights, and options specific to the space
  std::string constraints;  ///< text of the constraint file
  std::vector<io::ResultInput> inputs;

  std::string option(std::string_view name) const { return io::find_option(io::Verb::map, name)->get(words); }
};

/// Head of an import's result.
struct ImportHead {
  std::optional<double> claimed;
  std::string file;  ///< empty for Nestor's own mapping
  io::OptionTexts options;
};

/// Fills the head of an imported mapping's result and returns its only layer. `Run` is the run record of a
/// space.
template <typename Run, typename Space>
auto& begin_import(Run& run, const MipOrigin<Space>& origin, const ImportHead& head) {
  run.version = NESTOR_VERSION;
  run.verb = "import";
  run.network = origin.layer.name;
  run.objective.name = origin.option("objective");
  run.options = head.options;
  run.inputs = origin.inputs;
  if (!head.file.empty()) run.inputs.push_back(report::describe_file("solution", head.file));
  auto& layer = run.layers.emplace_back();
  layer.layer = origin.layer;
  layer.status = Status::imported;
  layer.claimed_objective = head.claimed;
  return layer;
}

template <typename Space>
class SpaceMipModel final : public MipModel {
 public:
  using Program = std::unique_ptr<typename Space::Program>;

  SpaceMipModel(MipOrigin<Space> origin, Program made) : origin_(std::move(origin)), made_(std::move(made)) {}

  const mip::Program& program() const override { return made_->program->program(); }
  std::optional<double> known_objective() const override {
    return made_->best ? std::optional(made_->best->objective) : std::nullopt;
  }
  io::Result<ImportedMapping> known_mapping() const override {
    return Space::import(origin_, made_->problem, Space::nest_of(*made_->best),
                         {.claimed = known_objective(), .file = "", .options = options()});
  }
  bool is_proved() const override { return made_->is_proved; }
  double bound() const override { return made_->bound; }
  double seconds() const override { return made_->seconds; }
  io::Json columns() const override { return report::columns_to_json(program(), origin_.machine); }

  io::Json head() const override {
    io::Json json = {{"schema", report::model_schema},
                     {"version", NESTOR_VERSION},
                     {"space", Space::kind},
                     {"formulation", Space::formulation},
                     {"objective", origin_.option("objective")}};
    const auto& objective = made_->problem.objective;
    if (objective.kind == ObjectiveKind::blended) {
      json["alpha"] = objective.latency_weight;
      json["beta"] = objective.additive_weight;
    }
    Space::put_own(json, made_->problem, origin_.words);
    if (const auto known = known_objective()) json["limits_of"] = *known;
    if (is_proved()) json["optimum"] = *known_objective();
    json["layer"] = io::layer_to_json(origin_.layer);
    json["factors"] = report::factors_to_json(made_->problem.factors);
    if (!origin_.constraints.empty()) json["constraints"] = origin_.constraints;
    auto& inputs = json["inputs"] = io::Json::array();
    for (const auto& input : origin_.inputs) inputs.push_back(io::input_to_json(input));
    json["architecture"] = Space::machine_to_json(origin_.machine);
    return json;
  }

  io::Result<ImportedMapping> import(const std::vector<double>& values, std::optional<double> claimed,
                                     const std::string& file) const override {
    const auto nest = made_->program->nest().mapping(values);
    if (!nest) return io::input_error({file}, "the columns X^L, X^U and X^Z do not describe a mapping");
    return Space::import(origin_, made_->problem, *nest, {claimed, file, options()});
  }

 private:
  // Returns the options that determine the objective of a result.
  io::OptionTexts options() const {
    io::OptionTexts options = {{"objective", origin_.option("objective")}};
    const io::Json json = head();
    for (const char* const name : {"alpha", "beta", "mu1", "mu2"})
      if (json.contains(name))
        options.emplace_back(name, fmt::format("{}", json[name].template get<double>()));
    if (json.contains("latency_model"))
      options.emplace_back("latency-model", json["latency_model"].template get<std::string>());
    return options;
  }

  MipOrigin<Space> origin_;
  Program made_;
};

template <typename Space>
class SpaceMipTask final : public MipTask {
 public:
  explicit SpaceMipTask(const io::RunOptions& options) : options_(options) {}

  static io::Result<std::unique_ptr<MipTask>> make_task(const io::RunOptions& options) {
    auto task = std::make_unique<SpaceMipTask>(options);
    if (auto error = task->read()) return *error;
    return std::unique_ptr<MipTask>(std::move(task));
  }

  const std::vector<std::string>& layers() const override { return names_; }

  io::Result<std::unique_ptr<MipModel>> make(std::size_t layer, bool prove) const override {
    const auto executor = make_executor(options_.executor, static_cast<int>(options_.threads));
    MemoryBudget memory(search_memory(options_, std::size_t{24} << 20U));
    mapper::Resources resources{*executor, memory};
    resources.interrupted = &watch_signals();
    auto origin = origin_;
    origin.layer = layers_[layer];
    auto made = Space::program_of(layers_[layer].shape, origin.machine.machine, *request_, resources, prove);
    if (prove && !made->best)
      return io::input_error({}, fmt::format("layer '{}': no mapping was found", origin.layer.name));
    return std::unique_ptr<MipModel>(
        std::make_unique<SpaceMipModel<Space>>(std::move(origin), std::move(made)));
  }

 private:
  io::MaybeError read() {
    if (auto error = check_map_inputs(options_)) return error;
    if (!options_.formulation.empty() && options_.formulation != Space::formulation)
      return io::usage_error(fmt::format("--formulation is {}, expected {} for a machine of kind {}",
                                         io::quote(options_.formulation), Space::formulation, Space::kind));
    auto machine = Space::read_machine(options_.arch, options_.settings);
    if (!machine) return machine.error();
    if (auto error = Space::check_machine(*machine)) return error;
    origin_.machine = std::move(*machine);
    auto task = read_map_task(options_, origin_.machine.machine, [&](const LayerShape& shape) {
      return Space::admit(shape, origin_.machine.machine);
    });
    if (!task) return task.error();
    layers_ = std::move(task->layers);
    origin_.inputs = std::move(task->inputs);
    for (const Layer& layer : layers_) names_.push_back(layer.name);
    origin_.words = options_;
    auto request = Space::request_of(options_, origin_.machine);
    if (!request) return request.error();
    request_ = std::move(*request);
    if (options_.fix.empty()) return std::nullopt;
    const auto text = io::read_file(options_.fix);
    if (!text) return text.error();
    origin_.constraints = *text;
    auto constraints = io::parse_constraints(*text, options_.fix, origin_.machine.machine, origin_.machine);
    if (!constraints) return constraints.error();
    request_->constraints = std::move(*constraints);
    origin_.inputs.push_back(report::describe_text("constraints", options_.fix, *text));
    return std::nullopt;
  }

  io::RunOptions options_;
  MipOrigin<Space> origin_;
  std::vector<Layer> layers_;
  std::vector<std::string> names_;
  std::optional<typename Space::Request> request_;
};

/// Reads the model that MODEL.json describes.
template <typename Space>
io::Result<std::unique_ptr<MipModel>> read_space_model(const io::Node& root) {
  io::Reading reading;
  std::vector<std::string_view> keys = {
      "schema",    "version", "space",   "formulation", "objective", "alpha",        "beta",    "optimum",
      "limits_of", "layer",   "factors", "constraints", "inputs",    "architecture", "columns", "sha256"};
  keys.insert(keys.end(), Space::own_keys.begin(), Space::own_keys.end());
  const io::MapReader map(root, "model", keys, reading);
  MipOrigin<Space> origin;
  io::RunOptions& words = origin.words;
  const auto objective = map.text("objective", "");
  if (reading.failed()) return reading.error();
  if (auto error = io::set_option(words, io::Verb::map, "objective", objective)) return *error;
  if (words.objective == ObjectiveKind::blended) {
    words.alpha = map.number("alpha", 0, 1);
    words.beta = map.number("beta", 0, 1);
  }
  if (auto error = Space::own_words(map, words)) return *error;
  if (const auto node = map.require("architecture"))
    origin.machine = Space::read_machine_node(*node, reading);
  if (const auto node = map.require("layer")) origin.layer = io::read_layer_node(*node, "layer", {}, reading);
  if (reading.failed()) return reading.error();
  if (auto error = Space::check_machine(origin.machine)) return *error;
  const auto refusal = Space::admit(origin.layer.shape, origin.machine.machine);
  if (refusal != Refusal::none)
    return io::input_error(root.where(), fmt::format("layer: {}", io::refusal_text(refusal)));
  auto problem = Space::problem(origin.layer.shape, origin.machine.machine, words);
  if (const auto node = map.require("factors"))
    problem.factors = report::read_factors(*node, origin.layer.shape, reading);
  std::optional<double> best;
  if (map.find("limits_of")) best = map.number("limits_of", std::numeric_limits<double>::lowest(), 0);
  origin.constraints = map.text("constraints", "");
  if (reading.failed()) return reading.error();
  if (!origin.constraints.empty()) {
    const auto constraints =
        io::parse_constraints(origin.constraints, "constraints", origin.machine.machine, origin.machine);
    if (!constraints) return constraints.error();
    problem.constraints = *constraints;
  }
  auto made = Space::program_again(problem, best);
  return std::unique_ptr<MipModel>(
      std::make_unique<SpaceMipModel<Space>>(std::move(origin), std::move(made)));
}

}  // namespace nestor::app

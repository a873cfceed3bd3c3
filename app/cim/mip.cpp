// MIREDO's program of the layers of a run, and of a written model.
#include "app/mip.h"

#include <fmt/format.h>

#include "app/cim/cim.h"
#include "app/cim/map_request.h"
#include "app/interrupt.h"
#include "app/map_task.h"
#include "io/cim/architecture_file.h"
#include "io/constraint_file.h"
#include "io/layer_file.h"
#include "mapper/cim/check.h"
#include "mapper/cim/program.h"
#include "report/mip/sidecar.h"
#include "report/results/cim/evaluation_json.h"
#include "report/results/cim/result_file.h"
#include "report/results/violation_text.h"
#include "report/run_record.h"

namespace nestor::app::cim_space {
namespace {

using Program = std::unique_ptr<mapper::CimProgram>;

// What the model is of, beside its program.
struct Origin {
  NamedArchitecture architecture;
  Layer layer;
  std::string objective;
  std::string constraints;  ///< text of the constraint file
  std::vector<io::ResultInput> inputs;
};

constexpr std::array<std::string_view, 17> head_keys = {
    "schema", "version", "space",       "formulation", "objective", "latency_model",
    "mu1",    "mu2",     "alpha",       "beta",        "limits_of", "optimum",
    "layer",  "factors", "constraints", "inputs",      "columns"};

class MiredoModel final : public MipModel {
 public:
  MiredoModel(Origin origin, Program made) : origin_(std::move(origin)), made_(std::move(made)) {}

  const mip::Program& program() const override { return made_->program->program(); }
  std::optional<double> known_objective() const override {
    return made_->best ? std::optional(made_->best->objective) : std::nullopt;
  }
  bool is_proved() const override { return made_->is_proved; }
  double bound() const override { return made_->bound; }
  double seconds() const override { return made_->seconds; }
  io::Json columns() const override { return report::columns_to_json(program(), origin_.architecture); }

  io::Json head() const override {
    const auto& objective = made_->problem.objective;
    io::Json json = {{"schema", report::model_schema},
                     {"version", NESTOR_VERSION},
                     {"space", "cim"},
                     {"formulation", "miredo"},
                     {"objective", origin_.objective},
                     {"latency_model", io::to_string(objective.latency_model)}};
    if (objective.kind == ObjectiveKind::eq14) {
      json["mu1"] = objective.latency_weight;
      json["mu2"] = objective.additive_weight;
    } else if (objective.kind == ObjectiveKind::blended) {
      json["alpha"] = objective.latency_weight;
      json["beta"] = objective.additive_weight;
    }
    if (const auto known = known_objective()) json["limits_of"] = *known;
    if (is_proved()) json["optimum"] = *known_objective();
    json["layer"] = io::layer_to_json(origin_.layer);
    json["factors"] = report::factors_to_json(made_->problem.factors);
    if (!origin_.constraints.empty()) json["constraints"] = origin_.constraints;
    auto& inputs = json["inputs"] = io::Json::array();
    for (const auto& input : origin_.inputs) inputs.push_back(io::input_to_json(input));
    json["architecture"] = io::architecture_to_json(origin_.architecture);
    return json;
  }

  io::Result<ImportedMapping> import(const std::vector<double>& values, std::optional<double> claimed,
                                     const std::string& file) const override {
    const auto mapping = made_->program->nest().mapping(values);
    if (!mapping) return io::input_error({file}, "the columns X^L, X^U and X^Z describe no mapping");
    mapper::MappedCimLayer mapped;
    const auto& problem = made_->problem;
    if (const auto violation = find_violation(problem.layer, problem.machine, *mapping))
      return io::input_error(
          {file}, "illegal mapping: " + io::violation_text(*violation, *mapping, origin_.architecture));
    if (mapper::check(problem, *mapping, mapped) != mapper::Fault::none)
      return io::input_error({file}, "the mapping breaks the constraints that the model was exported with");
    io::RunResult run;
    run.version = NESTOR_VERSION;
    run.verb = "import";
    run.network = origin_.layer.name;
    run.objective = origin_.objective;
    run.latency_model = io::to_string(problem.objective.latency_model);
    run.inputs = origin_.inputs;
    run.inputs.push_back(report::describe_input("solution", file, file));
    run.architecture = origin_.architecture;
    auto& layer = run.layers.emplace_back();
    layer.layer = origin_.layer;
    layer.status = Status::imported;
    layer.claimed_objective = claimed;
    layer.best.mapping = *mapping;
    layer.best.objective = mapped.objective;
    io::set_figures(layer, mapped.evaluation, run.architecture, problem.objective.latency_model);
    layer.evaluation = io::evaluation_to_json(mapped.evaluation, run.architecture);
    return ImportedMapping{mapped.objective, io::result_to_json(run)};
  }

 private:
  Origin origin_;
  Program made_;
};

class MiredoTask final : public MipTask {
 public:
  explicit MiredoTask(const io::RunOptions& options) : options_(options) {}

  io::MaybeError read() {
    if (auto error = check_map_inputs(options_)) return error;
    auto architecture = io::read_architecture(options_.arch);
    if (!architecture) return architecture.error();
    origin_.architecture = std::move(*architecture);
    auto task = read_map_task(
        options_, [&](const LayerShape& shape) { return cim::admit(shape, origin_.architecture.machine); });
    if (!task) return task.error();
    layers_ = std::move(task->layers);
    origin_.inputs = std::move(task->inputs);
    for (const Layer& layer : layers_) names_.push_back(layer.name);
    origin_.objective = io::find_option(io::Verb::map, "objective")->get(options_);
    request_ = request_of(options_);
    if (options_.fix.empty()) return std::nullopt;
    const auto text = io::read_file(options_.fix);
    if (!text) return text.error();
    origin_.constraints = *text;
    const auto& named = origin_.architecture;
    auto constraints = io::parse_constraints(*text, options_.fix, named.machine, named);
    if (!constraints) return constraints.error();
    request_.constraints = std::move(*constraints);
    origin_.inputs.push_back(report::describe_input("constraints", options_.fix, options_.fix));
    return std::nullopt;
  }

  const std::vector<std::string>& layers() const override { return names_; }

  io::Result<std::unique_ptr<MipModel>> make(std::size_t layer, bool prove) const override {
    const auto executor = make_executor(options_.executor, static_cast<int>(options_.threads));
    MemoryBudget memory(search_memory(options_, std::size_t{24} << 20U));
    mapper::Resources resources{*executor, memory};
    resources.interrupted = &watch_signals();
    Origin origin = origin_;
    origin.layer = layers_[layer];
    auto made =
        mapper::program_of(layers_[layer].shape, origin.architecture.machine, request_, resources, prove);
    if (prove && !made->is_proved && !made->best)
      return io::input_error({}, fmt::format("layer '{}': no mapping was found", origin.layer.name));
    return std::unique_ptr<MipModel>(std::make_unique<MiredoModel>(std::move(origin), std::move(made)));
  }

 private:
  io::RunOptions options_;
  Origin origin_;
  std::vector<Layer> layers_;
  std::vector<std::string> names_;
  mapper::CimRequest request_;
};

}  // namespace

namespace {

io::Result<std::unique_ptr<MipTask>> mip_task(const io::RunOptions& options) {
  auto task = std::make_unique<MiredoTask>(options);
  if (auto error = task->read()) return *error;
  return std::unique_ptr<MipTask>(std::move(task));
}

}  // namespace

io::Result<ExitStatus> export_model(const io::RunOptions& options) {
  return export_models(mip_task, options);
}
io::Result<ExitStatus> compare(const io::RunOptions& options) { return compare_solvers(mip_task, options); }

io::Result<std::unique_ptr<MipModel>> read_mip_model(const io::Node& root) {
  io::Reading reading;
  constexpr auto with_architecture = [] {
    std::array<std::string_view, head_keys.size() + 1> keys{};
    for (std::size_t i = 0; i < head_keys.size(); ++i) keys[i] = head_keys[i];
    keys.back() = "architecture";
    return keys;
  }();
  const io::MapReader map(root, "model", with_architecture, reading);
  Origin origin;
  cim::CimObjective objective;
  io::RunOptions words;
  origin.objective = map.text("objective", "");
  if (!reading.failed())
    if (auto error = io::set_option(words, io::Verb::map, "objective", origin.objective)) return *error;
  objective.kind = words.objective;
  objective.latency_model = map.word("latency_model", io::latency_models);
  if (objective.kind == ObjectiveKind::eq14) {
    objective.latency_weight = map.number("mu1", 0, 1);
    objective.additive_weight = map.number("mu2", 0, 0);
  } else if (objective.kind == ObjectiveKind::blended) {
    objective.latency_weight = map.number("alpha", 0, 1);
    objective.additive_weight = map.number("beta", 0, 1);
  }
  if (const auto node = map.require("architecture"))
    origin.architecture = io::read_architecture_node(*node, reading);
  if (const auto node = map.require("layer")) origin.layer = io::read_layer_node(*node, "layer", {}, reading);
  if (reading.failed()) return reading.error();
  const auto refusal = cim::admit(origin.layer.shape, origin.architecture.machine);
  if (refusal != Refusal::none)
    return io::input_error(root.where(), fmt::format("layer: {}", io::refusal_text(refusal)));
  auto problem = cim::make_problem(origin.layer.shape, origin.architecture.machine, objective);
  if (const auto node = map.require("factors"))
    problem.factors = report::read_factors(*node, origin.layer.shape, reading);
  std::optional<double> best;
  if (map.find("limits_of")) best = map.number("limits_of", std::numeric_limits<double>::lowest(), 0);
  origin.constraints = map.text("constraints", "");
  if (reading.failed()) return reading.error();
  if (!origin.constraints.empty()) {
    const auto& named = origin.architecture;
    const auto constraints = io::parse_constraints(origin.constraints, "constraints", named.machine, named);
    if (!constraints) return constraints.error();
    problem.constraints = *constraints;
  }
  auto made = mapper::program_again(problem, best);
  return std::unique_ptr<MipModel>(std::make_unique<MiredoModel>(std::move(origin), std::move(made)));
}

}  // namespace nestor::app::cim_space

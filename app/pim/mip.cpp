// PIM Optimizer's program of the layers of a run, and of a written model.
#include "app/mip.h"

#include <fmt/format.h>

#include "app/interrupt.h"
#include "app/map_task.h"
#include "app/pim/map_request.h"
#include "app/pim/pim.h"
#include "io/constraint_file.h"
#include "io/layer_file.h"
#include "io/pim/machine_file.h"
#include "mapper/pim/program.h"
#include "model/pim/legality.h"
#include "model/pim/search/admission.h"
#include "report/mip/sidecar.h"
#include "report/results/pim/result_file.h"
#include "report/results/pim/texts.h"
#include "report/results/violation_text.h"
#include "report/run_record.h"

namespace nestor::app::pim_space {
namespace {

using Program = std::unique_ptr<mapper::pim::PimLayerProgram>;

// What the model is of, beside its program.
struct Origin {
  io::pim::NamedPimMachine machine;
  Layer layer;
  std::string objective;
  std::string layouts;
  std::string constraints;  ///< text of the constraint file
  std::vector<io::ResultInput> inputs;
};

constexpr std::array<std::string_view, 16> head_keys = {
    "schema",  "version", "space",   "formulation", "objective",   "alpha",  "beta",         "limits_of",
    "optimum", "layer",   "factors", "layouts",     "constraints", "inputs", "architecture", "columns"};

io::Result<io::pim::NamedPimMachine> exportable(io::pim::NamedPimMachine machine) {
  const auto& memories = machine.machine.memories;
  for (const Memory& memory : memories)
    if (memory.row > 0 && memory.axes_above > 0)
      return io::usage_error("pim-optimizer has no axes before DRAM rows (vaults, units): export one vault");
  machine.machine.row_model = nestor::pim::RowModel::hybrid;
  return machine;
}

class PimModel final : public MipModel {
 public:
  PimModel(Origin origin, Program made) : origin_(std::move(origin)), made_(std::move(made)) {}

  const mip::Program& program() const override { return made_->program->program(); }
  std::optional<double> known_objective() const override {
    return made_->best ? std::optional(made_->best->objective) : std::nullopt;
  }
  bool is_proved() const override { return made_->is_proved; }
  double bound() const override { return made_->bound; }
  double seconds() const override { return made_->seconds; }
  io::Json columns() const override { return report::columns_to_json(program(), origin_.machine); }

  io::Json head() const override {
    io::Json json = {{"schema", report::model_schema},
                     {"version", NESTOR_VERSION},
                     {"space", "pim"},
                     {"formulation", "pim-optimizer"},
                     {"objective", origin_.objective}};
    if (made_->problem.objective.kind == ObjectiveKind::blended) {
      json["alpha"] = made_->problem.objective.latency_weight;
      json["beta"] = made_->problem.objective.additive_weight;
    }
    if (const auto known = known_objective()) json["limits_of"] = *known;
    if (is_proved()) json["optimum"] = *known_objective();
    json["layer"] = io::layer_to_json(origin_.layer);
    json["factors"] = report::factors_to_json(made_->problem.factors);
    json["layouts"] = origin_.layouts;
    if (!origin_.constraints.empty()) json["constraints"] = origin_.constraints;
    auto& inputs = json["inputs"] = io::Json::array();
    for (const auto& input : origin_.inputs) inputs.push_back(io::input_to_json(input));
    json["architecture"] = io::pim::machine_to_json(origin_.machine);
    return json;
  }

  io::Result<ImportedMapping> import(const std::vector<double>& values, std::optional<double> claimed,
                                     const std::string& file) const override {
    const auto nest = made_->program->nest().mapping(values);
    if (!nest) return io::input_error({file}, "the columns X^L, X^U and X^Z describe no mapping");
    const auto found = mapper::pim::mapped(made_->problem, *nest);
    if (!found) {
      const nestor::pim::PimMapping mapping{.nest = *nest};
      const auto violation =
          nestor::pim::find_violation(made_->problem.layer, made_->problem.machine, mapping);
      return io::input_error(
          {file}, violation
                      ? "illegal mapping: " + io::pim::violation_text(*violation, mapping, origin_.machine)
                      : "the mapping breaks the constraints that the model was exported with");
    }
    io::pim::RunRecord run;
    run.version = NESTOR_VERSION;
    run.verb = "import";
    run.network = origin_.layer.name;
    run.objective = origin_.objective;
    run.inputs = origin_.inputs;
    run.inputs.push_back(report::describe_input("solution", file, file));
    run.machine = origin_.machine;
    auto& layer = run.layers.emplace_back();
    layer.layer = origin_.layer;
    layer.status = Status::imported;
    layer.claimed_objective = claimed;
    layer.best.objective = found->objective;
    layer.best.mapping = found->mapping;
    layer.best.evaluation = found->evaluation;
    return ImportedMapping{found->objective, io::pim::run_to_json(run)};
  }

 private:
  Origin origin_;
  Program made_;
};

class PimTask final : public MipTask {
 public:
  explicit PimTask(const io::RunOptions& options) : options_(options) {}

  io::MaybeError read() {
    if (auto error = check_map_inputs(options_)) return error;
    auto read = io::pim::read_machine(options_.arch);
    if (!read) return read.error();
    auto machine = exportable(std::move(*read));
    if (!machine) return machine.error();
    origin_.machine = std::move(*machine);
    auto task = read_map_task(options_, [&](const LayerShape& shape) {
      return nestor::pim::admit(shape, origin_.machine.machine);
    });
    if (!task) return task.error();
    layers_ = std::move(task->layers);
    origin_.inputs = std::move(task->inputs);
    for (const Layer& layer : layers_) names_.push_back(layer.name);
    origin_.objective = io::find_option(io::Verb::map, "objective")->get(options_);
    origin_.layouts = io::find_option(io::Verb::map, "layouts")->get(options_);
    auto request = request_of(options_, origin_.machine);
    if (!request) return request.error();
    request_ = std::move(*request);
    if (options_.fix.empty()) return std::nullopt;
    const auto text = io::read_file(options_.fix);
    if (!text) return text.error();
    origin_.constraints = *text;
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
        mapper::pim::program_of(layers_[layer].shape, origin.machine.machine, request_, resources, prove);
    if (prove && !made->best)
      return io::input_error({}, fmt::format("layer '{}': no mapping was found", origin.layer.name));
    return std::unique_ptr<MipModel>(std::make_unique<PimModel>(std::move(origin), std::move(made)));
  }

 private:
  io::RunOptions options_;
  Origin origin_;
  std::vector<Layer> layers_;
  std::vector<std::string> names_;
  mapper::pim::PimRequest request_;
};

io::Result<std::unique_ptr<MipTask>> mip_task(const io::RunOptions& options) {
  auto task = std::make_unique<PimTask>(options);
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
  const io::MapReader map(root, "model", head_keys, reading);
  Origin origin;
  NestObjective objective;
  io::RunOptions words;
  origin.objective = map.text("objective", "");
  origin.layouts = map.text("layouts", "");
  if (reading.failed()) return reading.error();
  if (auto error = io::set_option(words, io::Verb::map, "objective", origin.objective)) return *error;
  if (auto error = io::set_option(words, io::Verb::map, "layouts", origin.layouts)) return *error;
  objective.kind = words.objective;
  if (objective.kind == ObjectiveKind::blended) {
    objective.latency_weight = map.number("alpha", 0, 1);
    objective.additive_weight = map.number("beta", 0, 1);
  }
  if (const auto node = map.require("architecture"))
    origin.machine = io::pim::read_machine_node(*node, reading);
  if (const auto node = map.require("layer")) origin.layer = io::read_layer_node(*node, "layer", {}, reading);
  if (reading.failed()) return reading.error();
  auto machine = exportable(std::move(origin.machine));
  if (!machine) return machine.error();
  origin.machine = std::move(*machine);
  const auto refusal = nestor::pim::admit(origin.layer.shape, origin.machine.machine);
  if (refusal != Refusal::none)
    return io::input_error(root.where(), fmt::format("layer: {}", io::refusal_text(refusal)));
  auto problem =
      nestor::pim::make_problem(origin.layer.shape, origin.machine.machine, objective, words.layouts);
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
  auto made = mapper::pim::program_again(problem, best);
  return std::unique_ptr<MipModel>(std::make_unique<PimModel>(std::move(origin), std::move(made)));
}

}  // namespace nestor::app::pim_space

// The mixed-integer program of MIREDO for `export`, `import` and `compare`.
#include "app/cim/cim.h"
#include "app/cim/nests.h"
#include "app/mip_front.h"
#include "io/cim/architecture_file.h"
#include "mapper/cim/check.h"
#include "mapper/cim/program.h"
#include "report/results/cim/evaluation_json.h"
#include "report/results/cim/result_file.h"
#include "report/results/violation_text.h"

namespace nestor::app::cim_space {
namespace {

struct MiredoSpace : CimNests {
  using Program = mapper::CimProgram;
  static constexpr std::string_view formulation = "miredo";
  static constexpr std::array<std::string_view, 3> own_keys = {"latency_model", "mu1", "mu2"};

  static io::MaybeError check_machine(Machine& /*machine*/) { return std::nullopt; }
  static std::unique_ptr<Program> program_of(const LayerShape& shape, const Architecture& machine,
                                             const Request& request, const mapper::Resources& resources,
                                             bool prove) {
    return mapper::program_of(shape, machine, request, resources, prove);
  }
  static std::unique_ptr<Program> program_again(const cim::CimProblem& problem, std::optional<double> best) {
    return mapper::program_again(problem, best);
  }

  static void put_own(io::Json& json, const cim::CimProblem& problem, const io::RunOptions& /*words*/) {
    const auto& objective = problem.objective;
    json["latency_model"] = io::to_string(objective.latency_model);
    if (objective.kind != ObjectiveKind::eq14) return;
    json["mu1"] = objective.latency_weight;
    json["mu2"] = objective.additive_weight;
  }
  static io::MaybeError own_words(const io::MapReader& map, io::RunOptions& words) {
    words.latency_model = map.word("latency_model", io::latency_models);
    if (words.objective != ObjectiveKind::eq14) return std::nullopt;
    words.mu1 = map.number("mu1", 0, 1);
    words.mu2 = map.number("mu2", 0, 0);
    return std::nullopt;
  }
  static cim::CimProblem problem(const LayerShape& shape, const Architecture& machine,
                                 const io::RunOptions& words) {
    return cim::make_problem(shape, machine, request_of(words, {})->objective);
  }

  static const Mapping& nest_of(const mapper::MappedCimLayer& best) { return best.mapping; }
  static io::Result<ImportedMapping> import(const MipOrigin<MiredoSpace>& origin,
                                            const cim::CimProblem& problem, const Mapping& nest,
                                            const ImportHead& head) {
    if (const auto violation = find_violation(problem.layer, problem.machine, nest))
      return io::input_error({head.file},
                             "illegal mapping: " + io::violation_text(*violation, nest, origin.machine));
    mapper::MappedCimLayer mapped;
    if (mapper::check(problem, nest, mapped) != mapper::Fault::none)
      return io::input_error({head.file}, "the mapping violates the constraints of the exported model");
    io::CimRun run;
    auto& layer = begin_import(run, origin, head);
    run.objective.latency_model = io::to_string(problem.objective.latency_model);
    run.machine = origin.machine;
    layer.best.mapping = nest;
    layer.best.objective = mapped.objective;
    io::set_figures(layer, mapped.evaluation, run.machine, problem.objective.latency_model);
    layer.evaluation = io::evaluation_to_json(mapped.evaluation, run.machine);
    return ImportedMapping{mapped.objective, io::run_to_json(run)};
  }
};

}  // namespace

io::Result<ExitStatus> export_model(const io::RunOptions& options) {
  return export_models(SpaceMipTask<MiredoSpace>::make_task, options);
}
io::Result<ExitStatus> compare(const io::RunOptions& options) {
  return compare_solvers(SpaceMipTask<MiredoSpace>::make_task, options);
}
io::Result<std::unique_ptr<MipModel>> read_mip_model(const io::Node& root) {
  return read_space_model<MiredoSpace>(root);
}

}  // namespace nestor::app::cim_space

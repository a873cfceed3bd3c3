// The mixed-integer program of PIM Optimizer for `export`, `import` and `compare`.
#include "app/mip_front.h"
#include "app/pim/nests.h"
#include "app/pim/pim.h"
#include "io/pim/machine_file.h"
#include "mapper/pim/program.h"
#include "model/pim/legality.h"
#include "model/pim/search/admission.h"
#include "report/results/pim/result_file.h"
#include "report/results/pim/texts.h"

namespace nestor::app::pim_space {
namespace {

using nestor::pim::PimMachine;
using nestor::pim::PimProblem;

struct PimOptimizerSpace : PimNests {
  using Program = mapper::pim::PimLayerProgram;
  static constexpr std::string_view formulation = "pim-optimizer";
  static constexpr std::array<std::string_view, 1> own_keys = {"layouts"};

  // Selects the paper's formulas for row counts and refuses machines that they do not cover.
  static io::MaybeError check_machine(Machine& named) {
    for (const Memory& memory : named.machine.memories)
      if (memory.row > 0 && memory.axes_above > 0)
        return io::usage_error(
            "pim-optimizer has no axes before DRAM rows (vaults, units): export one vault");
    named.machine.row_model = nestor::pim::RowModel::hybrid;
    return std::nullopt;
  }
  static std::unique_ptr<Program> program_of(const LayerShape& shape, const PimMachine& machine,
                                             const Request& request, const mapper::Resources& resources,
                                             bool prove) {
    return mapper::pim::program_of(shape, machine, request, resources, prove);
  }
  static std::unique_ptr<Program> program_again(const PimProblem& problem, std::optional<double> best) {
    return mapper::pim::program_again(problem, best);
  }

  static void put_own(io::Json& json, const PimProblem& /*problem*/, const io::RunOptions& words) {
    json["layouts"] = io::find_option(io::Verb::map, "layouts")->get(words);
  }
  static io::MaybeError own_words(const io::MapReader& map, io::RunOptions& words) {
    return io::set_option(words, io::Verb::map, "layouts", std::string(map.text("layouts", "")));
  }
  static PimProblem problem(const LayerShape& shape, const PimMachine& machine, const io::RunOptions& words) {
    NestObjective objective{.kind = words.objective};
    if (words.objective == ObjectiveKind::blended) {
      objective.latency_weight = words.alpha;
      objective.additive_weight = words.beta;
    }
    return nestor::pim::make_problem(shape, machine, objective, words.layouts);
  }

  static const Mapping& nest_of(const mapper::pim::MappedPimLayer& best) { return best.mapping.nest; }
  static io::Result<ImportedMapping> import(const MipOrigin<PimOptimizerSpace>& origin,
                                            const PimProblem& problem, const Mapping& nest,
                                            const ImportHead& head) {
    const nestor::pim::PimMapping mapping{.nest = nest};
    if (const auto violation = nestor::pim::find_violation(problem.layer, problem.machine, mapping))
      return io::input_error(
          {head.file}, "illegal mapping: " + io::pim::violation_text(*violation, mapping, origin.machine));
    const auto found = mapper::pim::mapped(problem, nest);
    if (!found)
      return io::input_error({head.file}, "the mapping violates the constraints of the exported model");
    io::pim::PimRun run;
    auto& layer = begin_import(run, origin, head);
    run.machine = origin.machine;
    layer.best.objective = found->objective;
    layer.best.mapping = found->mapping;
    layer.best.evaluation = found->evaluation;
    return ImportedMapping{found->objective, io::pim::run_to_json(run)};
  }
};

}  // namespace

io::Result<ExitStatus> export_model(const io::RunOptions& options) {
  return export_models(SpaceMipTask<PimOptimizerSpace>::make_task, options);
}
io::Result<ExitStatus> compare(const io::RunOptions& options) {
  return compare_solvers(SpaceMipTask<PimOptimizerSpace>::make_task, options);
}
io::Result<std::unique_ptr<MipModel>> read_mip_model(const io::Node& root) {
  return read_space_model<PimOptimizerSpace>(root);
}

}  // namespace nestor::app::pim_space

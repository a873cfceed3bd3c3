// Rows of the option table for `map`, for checks of its results, and for mixed-integer programs that other
// solvers solve.
#include "base/parse_number.h"
#include "base/split.h"
#include "io/option_rows.h"

#include <fmt/format.h>

namespace nestor::io {
namespace {

constexpr auto objective_kinds = enum_words<ObjectiveKind>({{ObjectiveKind::latency, "latency"},
                                                            {ObjectiveKind::energy, "energy"},
                                                            {ObjectiveKind::edp, "edp"},
                                                            {ObjectiveKind::eq14, "eq14"},
                                                            {ObjectiveKind::blended, "blended"}});
// The last word, "pareto", selects a search for the front instead of a single objective.
constexpr auto objectives = [] {
  std::array<std::string_view, objective_kinds.words.size() + 1> words{};
  for (std::size_t i = 0; i < objective_kinds.words.size(); ++i) words[i] = objective_kinds.words[i];
  words.back() = "pareto";
  return words;
}();
constexpr auto map_methods =
    enum_words<MapMethod>({{MapMethod::optimal, "optimal"},
                           {MapMethod::weight_stationary, "weight-stationary"},
                           {MapMethod::output_stationary, "output-stationary"},
                           {MapMethod::input_stationary, "input-stationary"},
                           {MapMethod::sampled, "sampled"},
                           {MapMethod::row_stationary, "row-stationary"},
                           {MapMethod::weight_stationary_greedy, "weight-stationary-greedy"},
                           {MapMethod::output_stationary_greedy, "output-stationary-greedy"},
                           {MapMethod::input_stationary_greedy, "input-stationary-greedy"},
                           {MapMethod::zigzag_like, "zigzag-like"},
                           {MapMethod::priority, "priority"}});
constexpr auto profiles =
    enum_words<Profile>({{Profile::desktop, "desktop"}, {Profile::embedded, "embedded"}});
constexpr auto scopes = enum_words<Scope>({{Scope::layer, "layer"}, {Scope::network, "network"}});
constexpr auto factor_sets =
    enum_words<Factors>({{Factors::prime, "prime"}, {Factors::flexible, "flexible"}});
constexpr auto executors = enum_words<ExecutorKind>(
    {{ExecutorKind::tbb, "tbb"}, {ExecutorKind::std_thread, "std-thread"}, {ExecutorKind::serial, "serial"}});
constexpr auto lp_bounds = enum_words<cim::LpUse>(
    {{cim::LpUse::off, "off"}, {cim::LpUse::root, "root"}, {cim::LpUse::stopped, "stopped"}});
// Costs are below 1e70 (2^62 cycles, 1e30 pJ for each access), so their products with weights up to this
// limit are finite.
constexpr double most_weight = 1e30;

void set_objective(RunOptions& options, std::size_t word) {
  options.pareto = word + 1 == objectives.size();
  options.objective = options.pareto ? ObjectiveKind::latency : objective_kinds.values[word];
}
std::size_t get_objective(const RunOptions& options) {
  return options.pareto ? objectives.size() - 1 : objective_kinds.place(options.objective);
}

MaybeError set_mu2(RunOptions& options, std::string_view text) {
  const auto number = parse_number<double>(text);
  if (!number || !(*number >= 0) || *number > most_weight)
    return usage_error(fmt::format("--mu2 is '{}', expected a number from 0 to 1e+30", text));
  options.mu2 = *number;
  return std::nullopt;
}
std::string get_mu2(const RunOptions& options) {
  return options.mu2 < 0 ? std::string() : fmt::format("{}", options.mu2);
}

MaybeError set_pad(RunOptions& options, std::string_view text) {
  const auto number = parse_number<double>(text);
  if (text != "auto" && (!number || !(*number >= 0) || *number > 100))
    return usage_error(fmt::format("--pad is '{}', expected 'auto' or a number from 0 to 100", text));
  options.pad_auto = text == "auto";
  options.pad = options.pad_auto ? 0 : *number;
  return std::nullopt;
}
std::string get_pad(const RunOptions& options) {
  return options.pad_auto ? "auto" : fmt::format("{}", options.pad);
}

MaybeError set_factor_weights(RunOptions& options, std::string_view text) {
  std::vector<std::string_view> words;
  for (const auto word : split_list(text, ',')) words.push_back(word);
  auto weights = options.factor_weights;
  bool is_good = words.size() == weights.size();
  for (std::size_t i = 0; is_good && i < weights.size(); ++i) {
    const auto number = parse_number<double>(words[i]);
    is_good = number && *number >= 0 && *number <= most_weight && (i == 0 || *number <= weights[i - 1]);
    if (is_good) weights[i] = *number;
  }
  if (!is_good)
    return usage_error(
        fmt::format("--factor-weights is '{}', expected three numbers in non-increasing order", text));
  options.factor_weights = weights;
  return std::nullopt;
}
std::string get_factor_weights(const RunOptions& options) {
  return fmt::format("{}", fmt::join(options.factor_weights, ","));
}

constexpr VerbSet on_search = VerbSet::of(Verb::map);

constexpr std::array cim_rows = {
    Option{"method", "METHOD", choice<&RunOptions::map_method, map_methods>(),
           "Prove the optimum of all mappings, or of those that load each tile of an operand once; improve "
           "mappings within the limits without a proof, and give a bound (priority); or build a baseline "
           "(sampled, zigzag-like, row-stationary, ...-greedy)",
           on_search, '\0', "cim, pim"}
        .planned(VerbSet::of(Verb::map)),
    Option{"samples", "N", IntegerValue{&RunOptions::samples, 1, Int{1} << 30U},
           "Mappings that --method sampled tries per layer", on_search, '\0', "cim, pim"}
        .planned(VerbSet::of(Verb::map)),
    Option{"profile", "PROFILE", choice<&RunOptions::profile, profiles>(),
           "Use the full search (desktop), or the small solver that runs on devices (embedded)", on_search,
           '\0', "cim"}
        .in(OptionGroup::expert),
    Option{"workspace", "BYTES", IntegerValue{&RunOptions::workspace, 0, Int{1} << 28U},
           "With --profile embedded: memory of the solver", on_search, '\0', "cim"}
        .in(OptionGroup::expert),
    Option{"objective", "WHAT", ChoiceValue{objectives, set_objective, get_objective},
           "Objective to minimise for every layer; export and compare do not accept edp and pareto",
           on_models, '\0', "cim, pim"}
        .planned(VerbSet::of(Verb::map)),
    Option{"scope", "WHAT", choice<&RunOptions::scope, scopes>(),
           "Optimise each layer, or the totals of the network with one point of every layer's latency-energy "
           "front",
           on_search, '\0', "cim, pim"},
    Option{"limit", "FIGURE=VALUE", ListValue{&RunOptions::figure_limits, "latency=CYCLES or energy=PJ"},
           "With --scope network: upper limit of a total", on_search, '\0', "cim, pim"}
        .in(OptionGroup::limits),
    Option{"mu1", "WEIGHT", RealValue{&RunOptions::mu1, 0, most_weight}, "Weight of latency in eq14",
           on_models, '\0', "cim"}
        .planned(VerbSet::of(Verb::map)),
    Option{"mu2", "WEIGHT", CustomValue{set_mu2, get_mu2, "a number from 0 to 1e+30"},
           "Weight of tile sizes in eq14; by default, one that only breaks ties", on_models, '\0', "cim"}
        .planned(VerbSet::of(Verb::map)),
    Option{"alpha", "WEIGHT", RealValue{&RunOptions::alpha, 0, most_weight}, "Weight of latency in blended",
           on_models, '\0', "cim, pim"}
        .planned(VerbSet::of(Verb::map)),
    Option{"beta", "WEIGHT", RealValue{&RunOptions::beta, 0, most_weight}, "Weight of energy in blended",
           on_models, '\0', "cim, pim"}
        .planned(VerbSet::of(Verb::map)),
    Option{"fix", "FILE", TextValue{&RunOptions::fix},
           "Constraints on mappings: dims, factors and use of axes, memories of operands, outermost loops, "
           "tiles loaded once",
           on_models, '\0', "cim, pim"}
        .changeable(),
    Option{"factors", "SET", choice<&RunOptions::factors, factor_sets>(),
           "Build tiles from all prime factors, or from a few larger ones (MIREDO's flexible factorization)",
           on_models, '\0', "cim, pim"}
        .planned(VerbSet::of(Verb::map)),
    Option{"k-min", "N", IntegerValue{&RunOptions::least_factors, 1, 64},
           "With --factors flexible: do not merge the factors of a bound that has at most this many",
           on_models, '\0', "cim, pim"},
    Option{"factor-loss", "SHARE", RealValue{&RunOptions::factor_loss, 0, 1},
           "With --factors flexible: share of the flexibility of all prime factors that a merge may cost "
           "(alpha in the paper)",
           on_models, '\0', "cim, pim"},
    Option{"factor-weights", "A,B,C",
           CustomValue{set_factor_weights, get_factor_weights, "three numbers in non-increasing order"},
           "With --factors flexible: weights of one, two and three products in the flexibility", on_models,
           '\0', "cim, pim"},
    Option{"pad", "PERCENT", CustomValue{set_pad, get_pad, "'auto' or a number from 0 to 100"},
           "Pad bounds by up to this percentage if the layer then costs less, proved over all such bounds; "
           "'auto': to the next multiple of 2, 4 or 8",
           on_search, '\0', "cim, pim, cnm"}
        .planned(VerbSet::of(Verb::map)),
    Option{"remainder", "", SwitchValue{&RunOptions::remainder},
           "Cut each layer in two along one dimension if that costs less, proved over all cuts", on_search,
           '\0', "cim"},
    Option{"top", "K", IntegerValue{&RunOptions::top, 1, 1000},
           "Prove the K best spatial unrollings of each layer", on_search}
        .planned(VerbSet::of(Verb::map)),
    Option{"nests", "", SwitchValue{&RunOptions::nests},
           "Print the chosen mapping of every layer as a loop nest", on_search, '\0', "cim, pim"}
        .in(OptionGroup::output)
        .changeable(),
    Option{
        "explain", "", SwitchValue{&RunOptions::explain},
        "Show which resources bind: search each layer again with more of each bandwidth, capacity and axis",
        on_search}
        .in(OptionGroup::output)
        .changeable(),
    Option{"lp-bound", "WHEN", choice<&RunOptions::lp_bound, lp_bounds>(),
           "Bound energy and stall cycles by linear programs: of each spatial choice before its search "
           "(root), or of those left open by a limit on work or memory (stopped)",
           on_search, '\0', "cim"}
        .in(OptionGroup::expert)
        .planned(VerbSet::of(Verb::map)),
    Option{"bound-only", "", SwitchValue{&RunOptions::bound_only},
           "Do not search; print the bound of each technique and how many spatial choices it closes",
           on_search, '\0', "cim"}
        .in(OptionGroup::expert),
    Option{"incumbent", "COST", RealValue{&RunOptions::incumbent, 0, no_limit},
           "With --bound-only: known cost to compare spatial choices with, instead of the first mapping's",
           on_search, '\0', "cim"}
        .in(OptionGroup::expert),
    Option{"gap", "PERCENT", RealValue{&RunOptions::gap, 0, 100}, "Stop at this relative gap", on_search}
        .in(OptionGroup::limits)
        .planned(VerbSet::of(Verb::map)),
    Option{"time-limit", "SECONDS", RealValue{&RunOptions::run_time_limit, 0, no_limit},
           "Stop after this many seconds", VerbSet::of(Verb::map, Verb::lp, Verb::verify)}
        .in(OptionGroup::limits)
        .changeable(),
    Option{"recheck", "", SwitchValue{&RunOptions::recheck},
           "Search again to confirm the result's claims of optimality", VerbSet::of(Verb::verify), '\0',
           "cim, pim, chip, cnm"},
    Option{"proof", "FILE", TextValue{&RunOptions::proof},
           "Confirm the result's claims of optimality with this proof file, which nestor-check verifies",
           VerbSet::of(Verb::verify), '\0', "cim, pim, chip, cnm"},
    Option{"layer-time-limit", "SECONDS", RealValue{&RunOptions::layer_time_limit, 0, no_limit},
           "Stop the search of a layer after this many seconds", on_search}
        .in(OptionGroup::limits)
        .planned(VerbSet::of(Verb::map))
        .changeable(),
    Option{"work-limit", "N", IntegerValue{&RunOptions::work_limit, 1, std::numeric_limits<Int>::max()},
           "Stop the search of a layer after this many nodes, the same on every machine", on_search}
        .in(OptionGroup::limits)
        .planned(VerbSet::of(Verb::map))
        .changeable(),
    Option{"checkpoint", "FILE", OutputValue{&RunOptions::checkpoint},
           "Save the state of all searches in FILE during the run, for --resume", on_search, '\0',
           "cim, pim"},
    Option{"every", "SECONDS", RealValue{&RunOptions::every, 0, no_limit},
           "Write the checkpoint at most once in this many seconds", on_search, '\0', "cim, pim"}
        .in(OptionGroup::expert)
        .unrecorded(),
    Option{"resume", "FILE", TextValue{&RunOptions::resume},
           "Continue from the checkpoint of a run with the same inputs and options", on_search, '\0',
           "cim, pim"}
        .in(OptionGroup::input)
        .unrecorded(),
    Option{"proof", "FILE", OutputValue{&RunOptions::proof},
           "Write the proof of every layer, for nestor-check and `nestor verify --proof`", on_search, '\0',
           "cim, pim, cnm"},
    Option{"formulation", "NAME", TextValue{&RunOptions::formulation},
           "Formulation to write, which must match the machine's kind: miredo (cim) or pim-optimizer (pim)",
           VerbSet::of(Verb::export_model, Verb::compare), '\0', "cim, pim"},
    Option{"start", "", SwitchValue{&RunOptions::start},
           "Prove the optimum first and write it as a start solution for Gurobi, HiGHS, SCIP and CBC",
           VerbSet::of(Verb::export_model), '\0', "cim, pim"},
    Option{"output", "FILE", TextValue{&RunOptions::output},
           "Write the model to FILE.mps or FILE.lp, or to a folder with one file per layer",
           VerbSet::of(Verb::export_model), 'o', "cim, pim"},
    Option{"model", "FILE", TextValue{&RunOptions::model}, "Description that export wrote beside the model",
           VerbSet::of(Verb::import_solution)}
        .in(OptionGroup::input),
    Option{
        "solvers", "LIST", TextValue{&RunOptions::solvers},
        "Solvers to run, separated by commas: gurobi, highs, scip, cbc, glpk; by default, all that are found",
        VerbSet::of(Verb::compare), '\0', "cim, pim"},
    Option{"solver-command", "NAME=COMMAND", ListValue{&RunOptions::solver_commands, ""},
           "Command that runs a solver; {model}, {solution}, {start}, {seconds} and {threads} are replaced",
           VerbSet::of(Verb::compare), '\0', "cim, pim"}
        .in(OptionGroup::expert),
    Option{"csv", "FILE", OutputValue{&RunOptions::csv},
           "Write the comparison as CSV, one row per layer and solver", VerbSet::of(Verb::compare), '\0',
           "cim, pim"},
    Option{"time-limit", "SECONDS", RealValue{&RunOptions::time_limit, 1, no_limit},
           "Stop each solver after this many seconds per layer", VerbSet::of(Verb::compare), '\0', "cim, pim"}
        .in(OptionGroup::limits),
    Option{"executor", "KIND", choice<&RunOptions::executor, executors>(), "Thread pool for parallel work",
           on_search}
        .in(OptionGroup::expert)
        .changeable(),
};

}  // namespace

std::span<const Option> cim_option_rows() { return cim_rows; }

}  // namespace nestor::io

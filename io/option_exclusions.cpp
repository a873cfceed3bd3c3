// Tables of options that exclude each other or cannot be used with a result file, and the checks against
// these tables.
#include <fmt/format.h>

#include "io/option_rows.h"

namespace nestor::io {
namespace {

constexpr VerbSet on_map = VerbSet::of(Verb::map);
constexpr VerbSet on_sweep = VerbSet::of(Verb::sweep);
constexpr VerbSet on_schedule = VerbSet::of(Verb::schedule);

// Methods of map that build a baseline instead of searching.
constexpr std::string_view baselines =
    "sampled, zigzag-like, row-stationary, weight-stationary-greedy, output-stationary-greedy, "
    "input-stationary-greedy";

// True if the option's value matches `value`: a word, a list of words, or any text except one ("!word"). An
// empty word is an option without a value.
bool has_value(const RunOptions& options, Verb verb, std::string_view name, std::string_view value) {
  const auto* const option = find_option(verb, name);
  if (option == nullptr) return false;
  const auto text = option->get(options);
  return value.starts_with('!') ? text != value.substr(1)
                                : text == value || (!text.empty() && !value.empty() && is_among(value, text));
}

}  // namespace

std::span<const Exclusion> exclusions() {
  static const std::vector<Exclusion> table = {
      {VerbSet::of(Verb::estimate),
       "batch",
       "!",
       {"mapping", "table", "json", "trace", "report", "tasklets"},
       "--{} cannot be used with --batch, whose lines contain the mappings"},
      {VerbSet::of(Verb::check),
       "annotations",
       "true",
       {"json=-"},
       "--{} cannot be used with --annotations, which also writes to standard output"},
      {VerbSet::of(Verb::map, Verb::compile, Verb::schedule),
       "verbose",
       "true",
       {"log", "quiet"},
       "--{} cannot be used with --verbose, which writes the log to standard error"},
      {on_schedule,
       "method",
       "nestor, gppic, simpler, star, date24, exact",
       {"no-improve"},
       "--{} is for methods masim and masim-paper"},
      {on_schedule,
       "method",
       "nestor, masim, masim-paper, exact",
       {"improve", "generation"},
       "--{} is for methods gppic, simpler, star and date24"},
      {on_schedule,
       "method",
       "nestor, exact",
       {"restarts"},
       "--{} is for masim, masim-paper and the methods that they are compared with"},
      {on_map,
       "objective",
       "pareto",
       {"top", "gap", "explain", "bound-only"},
       "--{} cannot be used with a Pareto front"},
      {on_map,
       "scope",
       "network",
       {"objective=pareto", "objective=eq14", "top", "gap", "explain", "bound-only", "fix-bypass", "proof",
        "profile", "nests"},
       "--{} cannot be used with --scope network, which searches latency-energy fronts"},
      {on_map,
       "scope",
       "network",
       {"method"},
       "--{} cannot be used with --scope network: baselines have no fronts"},
      {on_map, "scope", "!network", {"limit"}, "--{} needs --scope network", "cim, pim"},
      {on_map,
       "bound-only",
       "true",
       {"top", "pad", "gap", "method", "nests", "explain", "lp-bound", "work-limit", "checkpoint", "every",
        "resume", "proof"},
       "--{} cannot be used with --bound-only, which does not search"},
      {on_map,
       "proof",
       "!",
       {"resume", "factors", "method", "lp-bound", "profile", "fix-bypass"},
       "--{} cannot be used with --proof: nestor-check has no rules for it"},
      {on_map,
       "fix-bypass",
       "true",
       {"explain", "pad"},
       "--{} cannot be used with --fix-bypass: each layer is searched again separately"},
      {on_map,
       "fix-bypass",
       "true",
       {"checkpoint", "every", "resume"},
       "--{} cannot be used with --fix-bypass: a checkpoint stores the states of separate layers"},
      {on_map,
       "fix-bypass",
       "true",
       {"objective=pareto", "top"},
       "--fix-bypass requires one mapping per layer"},
      {VerbSet::of(Verb::simulate), "functional", "!true", {"network"}, "--{} needs --functional"},
      {on_map, "checkpoint", "", {"every"}, "--{} needs --checkpoint"},
      {on_map,
       "remainder",
       "true",
       {"objective=edp", "objective=eq14", "objective=blended", "objective=pareto", "scope=network"},
       "--remainder adds up the costs of two parts: it needs --objective latency or energy"},
      {on_map,
       "remainder",
       "true",
       {"method", "profile", "gap", "fix-bypass", "bound-only", "resume"},
       "--{} cannot be used with --remainder, which searches the parts of all cuts first"},
      {on_models,
       "factors",
       "!flexible",
       {"k-min", "factor-loss", "factor-weights"},
       "--{} needs --factors flexible"},
      {on_map, "bound-only", "!true", {"incumbent"}, "--{} needs --bound-only"},
      {on_sweep, "submit", "", {"tasks", "partition", "time", "memory", "dry-run"}, "--{} needs --submit"},
      {on_sweep,
       "submit",
       "!",
       {"status", "export", "per-layer", "pareto", "plot", "axes", "points", "time-limit"},
       "--{} cannot be used with --submit: workers solve the points later"},
      {on_map, "method", baselines, {"objective=pareto"}, "--{} needs --method optimal"},
      {on_map,
       "method",
       baselines,
       {"fix", "factors", "pad", "top", "gap", "lp-bound", "work-limit", "explain", "fix-bypass"},
       "--{} needs --method optimal: baselines do not search"},
      {on_map, "method", "!sampled", {"samples"}, "--{} needs --method sampled", "cim, pim"},
      {on_map,
       "method",
       "priority",
       {"objective=pareto", "pad", "top", "gap", "lp-bound", "explain", "fix-bypass", "checkpoint", "every",
        "resume"},
       "--{} needs --method optimal"},
      {on_map,
       "profile",
       "embedded",
       {"objective=pareto", "method", "fix", "factors", "pad", "top", "gap", "lp-bound", "explain",
        "bound-only"},
       "--{} needs --profile desktop"},
      {on_map, "profile", "!embedded", {"workspace"}, "--{} needs --profile embedded"},
      {VerbSet::of(Verb::compile),
       "method",
       "!optimal",
       {"explain", "gap", "work-limit"},
       "--{} needs --method optimal: baselines do not search"},
      {VerbSet::of(Verb::compile),
       "proof",
       "!",
       {"objective=energy", "objective=peak-power", "limit", "method"},
       "--{} cannot be used with --proof: nestor-check has no rules for it"},
      {VerbSet::of(Verb::export_model, Verb::compare),
       "objective",
       "edp",
       {"objective=edp"},
       "--{} is a product, which a linear program cannot express: use --objective blended with --alpha and "
       "--beta, or latency"},
      {VerbSet::of(Verb::export_model, Verb::compare),
       "objective",
       "pareto",
       {"objective=pareto"},
       "--{} is not a single objective"},
      {on_models, "objective", "!blended", {"alpha", "beta"}, "--{} needs --objective blended"},
      {on_models, "objective", "!eq14", {"mu1", "mu2"}, "--{} needs --objective eq14"},
      {VerbSet::of(Verb::verify),
       "recheck",
       "!true",
       {"time-limit"},
       "--{} requires --recheck, because verify does not search otherwise"},
      {VerbSet::of(Verb::estimate),
       "table",
       "!",
       {"mapping", "dims", "dtype", "tasklets", "args", "args-symbol", "regs", "trips", "branch", "values"},
       "--{} cannot be used with --table, whose rows specify the kernels"},
      {VerbSet::of(Verb::estimate),
       "table",
       "!",
       {"json", "trace"},
       "--{} cannot be used with --table, whose figures are written to --output"},
      {VerbSet::of(Verb::simulate), "network", "", {"dim"}, "--{} needs --network", "chip"},
      {on_map, "method", "row-stationary", {"method=row-stationary"}, "--{} requires kind 'pim'", "cim"},
      {on_map, "method", "zigzag-like", {"method=zigzag-like"}, "--{} requires kind 'cim'", "pim"},
      {on_models, "objective", "eq14", {"objective=eq14"}, "--{} cannot be used with kind 'pim'", "pim"},
  };
  return table;
}

MaybeError check_exclusions(const RunOptions& options, Verb verb, std::string_view kind) {
  for (const auto& row : exclusions()) {
    if (row.kinds.empty() != kind.empty() || !is_among(row.kinds, kind)) continue;
    if (!row.verbs.contains(verb) || !has_value(options, verb, row.name, row.value)) continue;
    for (const auto excluded : row.excluded) {
      const auto equals = excluded.find('=');
      const auto name = excluded.substr(0, equals);
      if (!options.is_given(name)) continue;
      const bool one_value = equals != std::string_view::npos;
      if (one_value && !has_value(options, verb, name, excluded.substr(equals + 1))) continue;
      const auto shown =
          one_value ? fmt::format("{} {}", name, excluded.substr(equals + 1)) : std::string(name);
      return usage_error(fmt::format(fmt::runtime(row.message), shown));
    }
  }
  return std::nullopt;
}

std::span<const OptionInResult> options_in_results() {
  constexpr VerbSet with_mappings = VerbSet::of(Verb::evaluate, Verb::simulate, Verb::show, Verb::verify);
  static const std::vector<OptionInResult> table = {
      {with_mappings,
       "cim, pim",
       {"arch", "set", "layers", "mapping"},
       "--{} cannot be used with a result file, which has its own"},
      {with_mappings,
       "cim, pim",
       {"bits", "batch", "dim"},
       "--{} cannot be used with a result file, which has its own layers"},
      {VerbSet::of(Verb::verify),
       "cim, pim, cnm",
       {"layer"},
       "--{} cannot be used with a result file, which is confirmed as a whole"},
      {VerbSet::of(Verb::verify),
       "chip",
       {"arch", "layers", "mapping", "bits", "batch", "dim", "layer"},
       "--{} cannot be used with a result file, which has its own"},
      {VerbSet::of(Verb::simulate),
       "chip",
       {"arch", "set"},
       "--{} cannot be used with a result file, which has its own"},
      {VerbSet::of(Verb::evaluate),
       "chip",
       {"arch", "set", "mode", "network", "decisions", "dim"},
       "--{} cannot be used with a result file, which has its own"},
      {VerbSet::of(Verb::estimate, Verb::evaluate, Verb::show, Verb::simulate, Verb::verify),
       "cnm",
       {"arch", "mapping", "set", "dims", "tasklets", "values", "dtype", "args", "args-symbol", "regs",
        "trips", "branch"},
       "--{} cannot be used with a result file, which has its own"},
      {VerbSet::of(Verb::estimate, Verb::evaluate, Verb::show, Verb::simulate, Verb::verify),
       "cnm",
       {"bits", "batch", "dim"},
       "--{} cannot be used with a result file, which has its own layers"},
  };
  return table;
}

MaybeError check_result_exclusions(const RunOptions& options, Verb verb, std::string_view kind) {
  for (const auto& row : options_in_results()) {
    if (!row.verbs.contains(verb) || !is_among(row.kinds, kind)) continue;
    for (const auto name : row.names)
      if (options.is_given(name)) return usage_error(fmt::format(fmt::runtime(row.message), name));
  }
  return std::nullopt;
}

}  // namespace nestor::io

// Compilation of a whole network with proof (docs/models/chip.md, section 8): the cuts into segments, and the
// decisions in each. Every request starts with searches of its parts: least latency by cuts (cut_search.h),
// least energy by operators, both together by prices (priced_search.h), and a lower bound on peak power.
// Cases that these leave open are enumerated with dominance (label_enumeration.h), which is exact for small
// cases. Ties of the objective are broken by the other cost.
#pragma once

#include <optional>
#include <span>

#include "base/status.h"
#include "model/chip/evaluate.h"
#include "model/chip/method.h"
#include "model/chip/search/segment_search.h"
#include "solver/engine/observer.h"
#include "solver/engine/stop_source.h"

namespace nestor::chip {

/// Upper limits on other figures.
struct FigureLimits {
  std::optional<Int> latency;
  std::optional<double> energy;
  std::optional<double> peak_power;
  bool any() const { return latency || energy || peak_power; }
};

struct CompileRequest {
  CompileObjective objective = CompileObjective::latency;
  FigureLimits limits;
  Levels levels;
  double gap = 0;                         ///< relative
  std::uint64_t work_limit = UINT64_MAX;  ///< nodes and labels
  /// If set, searches that may never finish give up after a few seconds; otherwise they run up to the limits.
  bool gives_up = true;
  SegmentOptions search;
};

/// Lower bound on each figure of all schedules within the limits; 0: unknown.
struct Floors {
  Int latency = 0;
  double energy = 0;
  double peak_power = 0;
};

/// Cost of tie_breaker() among schedules of equal objective, once the objective is proved.
struct TieBreak {
  Status status = Status::heuristic;  ///< optimal: proved minimal; else the reason for stopping
  double bound = 0;                   ///< lower bound for such schedules
  std::uint64_t nodes = 0;            ///< nodes of this search alone
  bool is_proved() const { return status == Status::optimal; }
};

struct CompileOutcome {
  Status status = Status::infeasible;
  std::optional<Decisions> best;
  std::optional<ChipEvaluation> figures;  ///< figures of `best`, if set by offer()
  double objective = 0;
  double bound = 0;
  TieBreak tie;
  Floors floors;
  std::vector<Decisions> known;  ///< optima of other figures and other schedules found: starting points for
                                 ///< improvement
  SegmentCounts counts;
  std::uint64_t labels = 0;
  std::vector<SegmentProof> proof;  ///< proof of the bound, if requested
};

/// Limit on operators for the search by cuts, which keeps a bound for every pair of them.
inline constexpr std::size_t most_operators_to_cut = 3000;

/// Returns the reason why the search does not use cuts, the only search that leaves a proof; nothing if it
/// uses them.
std::optional<std::string_view> why_not_by_cuts(const ChipProblem& problem, const CompileRequest& request);

double figure_of(const ChipEvaluation& evaluation, CompileObjective objective);
bool keeps(const ChipEvaluation& evaluation, const FigureLimits& limits);

/// True if a figure exceeds a limit by more than rounding. Energies and powers are sums of decimals in
/// doubles, so a figure equal to its limit may come out slightly above it.
constexpr bool exceeds(double figure, double limit) { return figure > limit * (1 + 1e-9); }

/// True if a lower bound proves an objective. Energies and powers are claimed to 1e-9.
constexpr bool closes(double bound, double value, CompileObjective objective) {
  return bound >= (objective == CompileObjective::latency ? value : value * (1 - 1e-10));
}

/// True if `a` is within the limits and `b` is not, or else has a lower objective, or an equal objective and
/// a lower other cost.
bool is_better(const ChipEvaluation& a, const ChipEvaluation& b, const CompileRequest& request);

/// Returns the result of the searches of the parts; its status is `work_limit` if they leave the question
/// open. `incumbents` must be legal for the request's levels.
CompileOutcome search_parts(const ChipProblem& problem, const CompileRequest& request,
                            std::span<const Decisions> incumbents, Executor& executor, const StopSource& stop,
                            EngineObserver* observer = nullptr);
/// Continues from that outcome by enumeration.
void search_labels(const ChipProblem& problem, const CompileRequest& request, CompileOutcome& outcome,
                   const StopSource& stop, EngineObserver* observer = nullptr);
/// Replaces the best of the outcome if `decisions` are better.
void offer(const ChipProblem& problem, const CompileRequest& request, const Decisions& decisions,
           CompileOutcome& outcome);
/// Reduces the other cost at an equal objective, if a search for that is possible.
void break_ties(const ChipProblem& problem, const CompileRequest& request, CompileOutcome& outcome,
                Executor& executor, const StopSource& stop);

/// Runs all of these searches.
CompileOutcome compile(const ChipProblem& problem, const CompileRequest& request,
                       std::span<const Decisions> incumbents, Executor& executor, const StopSource& stop,
                       EngineObserver* observer = nullptr);

}  // namespace nestor::chip

// Compilation of a whole network with proof (docs/models/chip.md, section 8): the cuts into segments, and the
// decisions in each segment. Every request starts with searches of parts of the problem: least latency by
// cuts (cut_search.h), least energy operator by operator, a weighted sum of both (priced_search.h), and a
// lower bound on peak power. If these leave a gap, label_enumeration.h enumerates the decisions with
// dominance, which is exact but feasible only for small cases. Ties of the objective are broken by another
// figure (tie_breaker()).
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

/// Upper limits on figures other than the objective.
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
  double gap = 0;                         ///< relative gap at which the search may stop
  std::uint64_t work_limit = UINT64_MAX;  ///< limit on the number of nodes and labels
  /// If true, searches that may never finish stop after a fixed number of nodes, that is, after some seconds.
  /// Otherwise most of them run up to the limits of the request.
  bool gives_up = true;
  SegmentOptions search;
};

/// Lower bounds on the figures of all schedules within the limits; 0: unknown.
struct Floors {
  Int latency = 0;
  double energy = 0;
  double peak_power = 0;
};

/// Search for the least tie_breaker() figure among schedules of equal objective, after the objective is
/// proved.
struct TieBreak {
  Status status = Status::heuristic;  ///< optimal: proved minimal; otherwise the reason for stopping
  double bound = 0;                   ///< lower bound on the tie breaker of these schedules
  std::uint64_t nodes = 0;            ///< nodes of this search alone
  bool is_proved() const { return status == Status::optimal; }
};

struct CompileOutcome {
  Status status = Status::infeasible;
  std::optional<Decisions> best;
  std::optional<ChipEvaluation> figures;  ///< figures of `best`, if offer() computed them
  double objective = 0;
  double bound = 0;
  TieBreak tie;
  Floors floors;
  /// Schedules that are optimal in other figures, and other schedules found, as starting points for
  /// improvement.
  std::vector<Decisions> known;
  SegmentCounts counts;
  std::uint64_t labels = 0;
  std::vector<SegmentProof> proof;  ///< proof of the bound, if requested
};

/// Maximum number of operators for the search by cuts, which stores a bound for every pair of operators.
inline constexpr std::size_t most_operators_to_cut = 3000;

/// Returns the reason why the search does not use cuts, or nothing if it uses them. Only the search by cuts
/// records a proof.
std::optional<std::string_view> why_not_by_cuts(const ChipProblem& problem, const CompileRequest& request);

double figure_of(const ChipEvaluation& evaluation, CompileObjective objective);
bool keeps(const ChipEvaluation& evaluation, const FigureLimits& limits);

/// True if a figure exceeds a limit by more than rounding. Energies and powers are sums of decimals in
/// doubles, so rounding may raise a figure slightly above a limit that it equals.
constexpr bool exceeds(double figure, double limit) { return figure > limit * (1 + 1e-9); }

/// True if a lower bound proves that `value` is the minimum. For energies and powers, the bound may be
/// smaller by a relative error of 1e-10.
constexpr bool closes(double bound, double value, CompileObjective objective) {
  return bound >= (objective == CompileObjective::latency ? value : value * (1 - 1e-10));
}

/// True if `a` is within the limits and `b` is not; or if both are or neither is, and `a` has a lower
/// objective, or an equal objective and a lower tie breaker.
bool is_better(const ChipEvaluation& a, const ChipEvaluation& b, const CompileRequest& request);

/// Returns the result of the searches of parts of the problem. Its status is `work_limit` if the problem
/// remains open although no stop was requested. `incumbents` must be legal for the request's levels.
CompileOutcome search_parts(const ChipProblem& problem, const CompileRequest& request,
                            std::span<const Decisions> incumbents, Executor& executor, const StopSource& stop,
                            EngineObserver* observer = nullptr);
/// If search_parts() has not solved the problem, continues from its outcome by enumeration.
void search_labels(const ChipProblem& problem, const CompileRequest& request, CompileOutcome& outcome,
                   const StopSource& stop, EngineObserver* observer = nullptr);
/// Makes `decisions` the best of the outcome if they are legal, within the limits of the request, and better.
void offer(const ChipProblem& problem, const CompileRequest& request, const Decisions& decisions,
           CompileOutcome& outcome);
/// If the objective is proved, searches for a schedule with an equal objective and a lower tie breaker.
void break_ties(const ChipProblem& problem, const CompileRequest& request, CompileOutcome& outcome,
                Executor& executor, const StopSource& stop);

/// Runs search_parts(), search_labels() and break_ties() in this order.
CompileOutcome compile(const ChipProblem& problem, const CompileRequest& request,
                       std::span<const Decisions> incumbents, Executor& executor, const StopSource& stop,
                       EngineObserver* observer = nullptr);

}  // namespace nestor::chip

// A whole network compiled with proof (docs/models/chip.md, section 8): where to cut it into segments and
// what to decide in each. Every request first gets what searches of its parts prove and find: least latency
// by cuts (cut_search.h), least energy by operators, both together by prices (priced_search.h), and what peak
// power needs at least. What these leave open is enumerated with dominance (label_enumeration.h): exact on
// small cases. Among schedules of equal objective the other cost decides.
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

/// What other figures may be at most.
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
  /// Searches that may not end by themselves give up after some seconds; else they go on to the limits.
  bool gives_up = true;
  SegmentOptions search;
};

/// What no schedule falls below, figure by figure, under the limits; 0: nothing is known.
struct Floors {
  Int latency = 0;
  double energy = 0;
  double peak_power = 0;
};

/// The cost of tie_breaker() among schedules of equal objective, once that is proved.
struct TieBreak {
  Status status = Status::heuristic;  ///< optimal: proved least; else what ended its search
  double bound = 0;                   ///< no such schedule costs less
  std::uint64_t nodes = 0;            ///< of this search alone
  bool is_proved() const { return status == Status::optimal; }
};

struct CompileOutcome {
  Status status = Status::infeasible;
  std::optional<Decisions> best;
  std::optional<ChipEvaluation> figures;  ///< of the best, if offer() took it
  double objective = 0;
  double bound = 0;
  TieBreak tie;
  Floors floors;
  std::vector<Decisions> known;  ///< optima of other figures and what else was met: starts for improvement
  SegmentCounts counts;
  std::uint64_t labels = 0;
  std::vector<SegmentProof> proof;  ///< of the bound, if the search was to keep one
};

/// Cuts keep a bound for every pair of operators.
inline constexpr std::size_t most_operators_to_cut = 3000;

/// Why the search does not go by cuts, which alone leave a proof; nothing if it does.
std::optional<std::string_view> why_not_by_cuts(const ChipProblem& problem, const CompileRequest& request);

double figure_of(const ChipEvaluation& evaluation, CompileObjective objective);
bool keeps(const ChipEvaluation& evaluation, const FigureLimits& limits);

/// Energies and powers are sums of decimals in doubles: a figure that a limit names exactly may come out a
/// hair above it.
constexpr bool exceeds(double figure, double limit) { return figure > limit * (1 + 1e-9); }

/// Does a lower bound prove an objective? Energies and powers are claimed to 1e-9.
constexpr bool closes(double bound, double value, CompileObjective objective) {
  return bound >= (objective == CompileObjective::latency ? value : value * (1 - 1e-10));
}

/// Is `a` better: within the limits, of a lower objective, or of an equal one at less of the other cost?
bool is_better(const ChipEvaluation& a, const ChipEvaluation& b, const CompileRequest& request);

/// What searches of parts prove and find; status `work_limit` where they leave it open. `incumbents` must be
/// legal for the request's levels.
CompileOutcome search_parts(const ChipProblem& problem, const CompileRequest& request,
                            std::span<const Decisions> incumbents, Executor& executor, const StopSource& stop,
                            EngineObserver* observer = nullptr);
/// Goes on from there by enumeration.
void search_labels(const ChipProblem& problem, const CompileRequest& request, CompileOutcome& outcome,
                   const StopSource& stop, EngineObserver* observer = nullptr);
/// Takes `decisions` if they are better than what the outcome has.
void offer(const ChipProblem& problem, const CompileRequest& request, const Decisions& decisions,
           CompileOutcome& outcome);
/// Less of the other cost at an equal objective, where that can be searched.
void break_ties(const ChipProblem& problem, const CompileRequest& request, CompileOutcome& outcome,
                Executor& executor, const StopSource& stop);

/// All of it.
CompileOutcome compile(const ChipProblem& problem, const CompileRequest& request,
                       std::span<const Decisions> incumbents, Executor& executor, const StopSource& stop,
                       EngineObserver* observer = nullptr);

}  // namespace nestor::chip

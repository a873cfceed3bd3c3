// A whole network compiled with proof (docs/models/chip.md, section 8): where to cut it into segments and
// what to decide in each. Least latency without costs between cores or spills goes by cuts (cut_search.h);
// everything else by enumeration of segments with dominance (label_enumeration.h), exact on small cases,
// anytime on large ones.
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
  SegmentOptions search;
};

struct CompileOutcome {
  Status status = Status::infeasible;
  std::optional<Decisions> best;
  double objective = 0;
  double bound = 0;
  SegmentCounts counts;
  std::uint64_t labels = 0;
  std::vector<SegmentProof> proof;  ///< of the bound, if the search was to keep one
};

/// Why the search does not go by cuts, which alone leave a proof; nothing if it does.
std::optional<std::string_view> why_not_by_cuts(const ChipProblem& problem, const CompileRequest& request);

double figure_of(const ChipEvaluation& evaluation, CompileObjective objective);
bool keeps(const ChipEvaluation& evaluation, const FigureLimits& limits);

/// Energies and powers are sums of decimals in doubles: a figure that a limit names exactly may come out a
/// hair above it.
constexpr bool exceeds(double figure, double limit) { return figure > limit * (1 + 1e-9); }

/// `incumbents` must be legal for the request's levels.
CompileOutcome compile(const ChipProblem& problem, const CompileRequest& request,
                       std::span<const Decisions> incumbents, Executor& executor, StopSource& stop,
                       EngineObserver* observer = nullptr);

}  // namespace nestor::chip

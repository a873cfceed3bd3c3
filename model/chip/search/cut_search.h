// Search for the least latency over all cuts into segments that do not influence each other: a shortest path
// over the positions between operators, whose edges are segments. Bounds are improved only for segments on
// the shortest path. A segment is never faster than a segment inside it, so each new bound also applies to
// all segments that contain it. With several segments, each segment includes the time to write its weights.
//
// The search is exact if there are no transfer costs or spills and no product can choose between crossbars
// and a shared digital unit. Otherwise the bound remains valid, because the ignored effects only add delay,
// and the schedule is a starting point.
#pragma once

#include "model/chip/search/compile.h"
#include "model/chip/search/options.h"

namespace nestor::chip {

/// Scope and limits of the search.
struct CutScope {
  /// Options of a single segment; null: only several segments are allowed.
  const OptionTable* single = nullptr;
  /// Options of a segment if there are several; null: only a single segment is allowed.
  const OptionTable* several = nullptr;
  Int latest = INT64_MAX / 4;             ///< schedules with a higher latency are ignored
  std::uint64_t work_limit = UINT64_MAX;  ///< limit on the number of nodes
};

struct CutOutcome {
  CompileOutcome outcome;          ///< schedule of least latency, as computed by evaluate(), and its bound
  std::optional<Decisions> least;  ///< decisions of least latency without transfer costs and spills, if known
};

CutOutcome search_cuts(const ChipProblem& problem, const CompileRequest& request, const CutScope& scope,
                       std::span<const Decisions> incumbents, Executor& executor, const StopSource& stop,
                       EngineObserver* observer);

}  // namespace nestor::chip

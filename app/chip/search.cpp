#include "app/chip/search.h"

#include <algorithm>
#include <cmath>

#include "app/interrupt.h"
#include "io/chip/compile_options.h"
#include "report/chip/compile_run.h"
#include "report/map_progress.h"

namespace nestor::app::chip_space {
namespace {

io::Result<chip::FigureLimits> limits_of(const io::RunOptions& options) {
  const auto given = io::figure_limits(options);
  if (!given) return given.error();
  chip::FigureLimits limits;
  for (const auto& [figure, most] : *given) {
    if (figure == chip::CompileObjective::latency) limits.latency = static_cast<Int>(std::floor(most));
    if (figure == chip::CompileObjective::energy) limits.energy = most;
    if (figure == chip::CompileObjective::peak_power) limits.peak_power = most;
  }
  return limits;
}

// Returns the part of a time limit that the search may use. The remaining time is reserved for evaluation,
// output and freeing memory.
double search_seconds(double limit) {
  constexpr double most_reserved = 0.05, share_reserved = 0.05;
  return std::isfinite(limit) ? limit - std::min(most_reserved, share_reserved * limit) : limit;
}

}  // namespace

io::Result<chip::NetworkRequest> request_of(const io::RunOptions& options, chip::Mode mode) {
  chip::NetworkRequest request;
  request.method = options.chip_method;
  request.search.objective = options.chip_objective;
  const auto limits = limits_of(options);
  if (!limits) return limits.error();
  request.search.limits = *limits;
  const auto levels = io::wanted_levels(options, mode);
  if (!levels) return levels.error();
  request.search.levels = *levels;
  request.search.gap = options.gap / 100;
  request.search.search.keep_proof = !options.proof.empty();
  request.search.gives_up = !options.work_limit && !std::isfinite(options.run_time_limit);
  if (options.work_limit) request.search.work_limit = static_cast<std::uint64_t>(*options.work_limit);
  return request;
}

SearchSetup::SearchSetup(const io::RunOptions& options)
    : executor_(make_executor(ExecutorKind::tbb, static_cast<int>(options.threads))),
      stop_(deadline_after(search_seconds(options.run_time_limit), program_start())),
      resources_{*executor_, stop_, this} {
  stop_.watch(&watch_signals());
}

void SearchSetup::round_ended(const EngineProgress& progress) {
  if (line_.due())
    line_.show(report::compile_progress(network_, progress), report::progress_figures(network_, progress));
}

}  // namespace nestor::app::chip_space

#include "app/chip/search.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "app/interrupt.h"
#include "io/chip/compile_options.h"
#include "io/progress.h"
#include "io/units.h"

namespace nestor::app::chip_space {
namespace {

io::Result<chip::FigureLimits> limits_of(const io::RunOptions& options) {
  const auto given = io::figure_limits(options);
  if (!given) return given.error();
  chip::FigureLimits limits;
  for (const auto& [figure, most] : *given) {
    if (figure == io::FigureKind::latency) limits.latency = static_cast<Int>(std::floor(most));
    if (figure == io::FigureKind::energy) limits.energy = most;
    if (figure == io::FigureKind::peak_power) limits.peak_power = most;
  }
  return limits;
}

}  // namespace

io::Result<chip::CompileRequest> request_of(const io::RunOptions& options, chip::Mode mode) {
  chip::CompileRequest request;
  request.objective = options.chip_objective;
  const auto limits = limits_of(options);
  if (!limits) return limits.error();
  request.limits = *limits;
  const auto levels = io::wanted_levels(options, mode);
  if (!levels) return levels.error();
  request.levels = *levels;
  request.gap = options.gap;
  if (options.work_limit > 0) request.work_limit = static_cast<std::uint64_t>(options.work_limit);
  return request;
}

std::vector<BaselineRun> run_baselines(const chip::Problem& problem, chip::Levels levels) {
  std::vector<BaselineRun> runs;
  for (const auto baseline : chip::all_baselines) {
    auto decisions = chip::run_baseline(problem, baseline, levels);
    if (!decisions || chip::find_violation(problem, *decisions)) continue;
    const Int latency = chip::evaluate(problem, *decisions).latency_cycles;
    runs.push_back({baseline, std::move(*decisions), latency});
  }
  return runs;
}

chip::CompileOutcome search(const chip::Problem& problem, const chip::CompileRequest& request,
                            const std::vector<BaselineRun>& baselines, const io::RunOptions& options) {
  StopSource stop(deadline_after(options.run_time_limit));
  stop.watch(&watch_signals());
  const auto executor = make_executor(ExecutorKind::tbb, static_cast<int>(options.threads));
  std::vector<chip::Decisions> incumbents;
  incumbents.reserve(baselines.size());
  for (const auto& run : baselines) incumbents.push_back(run.decisions);
  incumbents = chip::first_schedules(problem, request, std::move(incumbents), *executor, stop);
  io::ProgressLine line;
  auto outcome =
      chip::compile(problem, request, incumbents, *executor, stop, [&](const chip::CompileProgress& now) {
        if (line.due())
          line.show(fmt::format("{}: at least {:.9g}, best {:.9g}, {} nodes", problem.network.name, now.bound,
                                now.best, io::count_text(static_cast<Int>(now.work))));
      });
  line.clear();
  return outcome;
}

}  // namespace nestor::app::chip_space

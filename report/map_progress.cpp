#include "report/map_progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/tables/units.h"
#include "solver/search/tolerance.h"

namespace nestor::report {

std::string to_text(const MapProgress& progress) {
  const auto& [incumbent, bound, work, improved] = progress.search;
  const auto best = incumbent < no_cost ? fmt::format(", best {}, gap {}", io::figure_text(incumbent),
                                                      io::percent_text(gap_between(incumbent, bound)))
                                        : "";
  auto text = fmt::format("{} of {} solved, {}: bound {}{}, {} nodes", progress.solved, progress.all,
                          progress.layer, bound < no_cost ? io::figure_text(bound) : "-", best,
                          io::count_text(static_cast<Int>(work)));
  if (progress.rate > 0) text += fmt::format(" ({}/s)", io::rounded_text(progress.rate));
  text += fmt::format(", {:.1f} s", progress.seconds);
  if (std::isfinite(progress.time_limit))
    text += fmt::format(", {:.1f} s left", std::max(0.0, progress.time_limit - progress.seconds));
  return text;
}

void show(io::ProgressLine& line, const MapProgress& progress) {
  auto figures = progress_figures(progress.layer, progress.search);
  figures.finished = progress.solved;
  figures.all = progress.all;
  line.show(to_text(progress), figures);
}

void log_end(io::ProgressLine& line, const std::string& part, Status status, double objective) {
  if (line.is_logged())
    line.event(fmt::format("{}: {}, objective {:.10g}", part, to_string(status), objective));
}

io::ProgressFigures progress_figures(const std::string& part, const EngineProgress& search) {
  io::ProgressFigures figures{.part = part, .work = search.work};
  if (search.incumbent < no_cost) figures.objective = search.incumbent;
  if (search.bound < no_cost) figures.bound = search.bound;
  return figures;
}

}  // namespace nestor::report

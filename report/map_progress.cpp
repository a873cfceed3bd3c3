#include "report/map_progress.h"

#include <fmt/format.h>

#include "report/tables/units.h"
#include "solver/search/tolerance.h"

namespace nestor::report {

std::string to_text(const MapProgress& progress) {
  const auto& [incumbent, bound, work, improved] = progress.search;
  const auto best = incumbent < no_cost ? fmt::format(", best {}, gap {}", io::figure_text(incumbent),
                                                      io::percent_text(gap_between(incumbent, bound)))
                                        : "";
  return fmt::format("{} of {} solved, {}: bound {}{}, {} nodes, {:.1f} s", progress.solved, progress.all,
                     progress.layer, bound < no_cost ? io::figure_text(bound) : "-", best,
                     io::count_text(static_cast<Int>(work)), progress.seconds);
}

}  // namespace nestor::report

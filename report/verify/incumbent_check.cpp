#include "report/verify/incumbent_check.h"

#include <cmath>

namespace nestor::io {

void check_incumbents(const SearchStatistics& search, const std::optional<double>& objective,
                      Claims& claims) {
  double before = HUGE_VAL;
  Int nodes = 0;
  for (const auto& incumbent : search.incumbents) {
    if (incumbent.objective > before && !agrees(incumbent.objective, before))
      claims.finding(sentence("incumbent ", incumbent.objective, " follows the better ", before));
    before = incumbent.objective;
    if (incumbent.nodes >= 0) {
      if (incumbent.nodes < nodes || incumbent.nodes > search.nodes())
        claims.finding(sentence("incumbent ", before, " at node ", incumbent.nodes, " of ", search.nodes(),
                                ", after node ", nodes));
      nodes = incumbent.nodes;
    }
    if (objective && incumbent.lower_bound > *objective && !agrees(incumbent.lower_bound, *objective))
      claims.finding(sentence("incumbent ", before, " has the lower_bound ", incumbent.lower_bound,
                              ", above the objective ", *objective));
  }
  if (objective && *objective > before && !agrees(*objective, before))
    claims.finding(sentence("incumbent ", before, " is better than the objective ", *objective));
}

}  // namespace nestor::io

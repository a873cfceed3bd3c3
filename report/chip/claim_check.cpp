#include "report/chip/claim_check.h"

#include <fmt/format.h>

#include "report/verify/comparison.h"

namespace nestor::report {

void check_claim(const chip::CompileOutcome& found, io::CompileCheck& check) {
  const double bound = check.lower_bound;
  if (found.best && found.objective < bound && !io::nearly_equal(found.objective, bound)) {
    check.findings.push_back(
        fmt::format("lower_bound is {}, but the new search found a schedule of {}", bound, found.objective));
    check.optimality = io::Optimality::refuted;
  } else if (found.bound >= bound || io::nearly_equal(found.bound, bound)) {
    ++check.figures;
    check.optimality = io::Optimality::proved_again;
    std::erase(check.not_checked, io::unproved_compilation);
  } else {
    check.optimality = io::Optimality::left_open;
  }
}

}  // namespace nestor::report

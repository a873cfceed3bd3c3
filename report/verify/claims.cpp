#include "report/verify/claims.h"

#include <cmath>

#include "check/claim.h"

namespace nestor::io {

bool agrees(double claimed, long double found) {
  return std::fabs(static_cast<long double>(claimed) - found) <=
         static_cast<long double>(verify_tolerance) * std::fabs(found);
}

void check_claim(const Json& result, ResultCheck& check) {
  try {
    for (const auto& [name, fault] : check::claim_faults(result))
      check.findings.push_back(sentence("claim of '", name, "': ", fault));
  } catch (const std::exception& error) {
    check.findings.push_back(sentence("the claim cannot be read: ", error.what()));
  }
}

void Claims::finding(const std::string& sentence) { check_.findings.push_back(subject_ + sentence); }

void Claims::amount(std::string_view what, double claimed, long double found) {
  ++check_.figures;
  if (!agrees(claimed, found))
    finding(sentence(what, " is claimed as ", claimed, ", found ", static_cast<double>(found)));
}

}  // namespace nestor::io

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

void Claims::count(std::string_view what, Int claimed, Wide found) {
  ++check_.figures;
  if (found != claimed) finding(sentence(what, " is claimed as ", claimed, ", found ", found));
}

void Claims::amount(std::string_view what, double claimed, long double found) {
  ++check_.figures;
  if (!agrees(claimed, found))
    finding(sentence(what, " is claimed as ", claimed, ", found ", static_cast<double>(found)));
}

void Claims::json_number(std::string_view what, const Json& map, const std::string& key, long double found) {
  const auto entry = map.find(key);
  if (entry == map.end()) {
    if (found != 0) finding(sentence(what, " is missing, found ", static_cast<double>(found)));
  } else if (!entry->is_number()) {
    finding(sentence(what, " is ", entry->dump(), ", expected a number"));
  } else {
    amount(what, entry->get<double>(), found);
  }
}

}  // namespace nestor::io

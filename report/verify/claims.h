// Comparison of the claims of a file with computed figures. The comparisons are counted.
#pragma once

#include <string>
#include <string_view>

#include "report/verify/result_check.h"
#include "report/verify/sentence.h"

namespace nestor::io {

class Claims {
 public:
  explicit Claims(ResultCheck& check) : check_(check) {}

  /// Sets the prefix of all following findings ("layer 'conv1': ").
  void set_subject(std::string subject) { subject_ = std::move(subject); }

  void finding(const std::string& sentence);
  void amount(std::string_view what, double claimed, long double found);
  /// Counts a figure that the caller compared.
  void compared() { ++check_.figures; }

 private:
  ResultCheck& check_;
  std::string subject_;
};

/// Checks the claim of a result as a whole, as the independent checker defines it for all spaces
/// (check/claim.h). Contradictions are findings.
void check_claim(const Json& result, ResultCheck& check);

/// True if a double equals this figure within verify_tolerance.
bool agrees(double claimed, long double found);

}  // namespace nestor::io

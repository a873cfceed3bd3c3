// Comparison of the claims of a file with computed figures. The comparisons are counted.
#pragma once

#include <optional>
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
  const std::string& subject() const { return subject_; }

  void finding(const std::string& sentence);
  void count(std::string_view what, Int claimed, Wide found);
  void amount(std::string_view what, double claimed, long double found);
  /// Missing claims are not compared.
  void count(std::string_view what, const std::optional<Int>& claimed, Wide found) {
    if (claimed) count(what, *claimed, found);
  }
  void amount(std::string_view what, const std::optional<double>& claimed, long double found) {
    if (claimed) amount(what, *claimed, found);
  }
  /// Compares a number in JSON. If it is missing, 0 is compared.
  void json_number(std::string_view what, const Json& map, const std::string& key, long double found);
  /// Counts a figure that the caller compared.
  void compared() { ++check_.figures; }
  void mapping_seen() { ++check_.mappings; }

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

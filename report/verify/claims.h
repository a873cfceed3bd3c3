// Compares what a file claims with what was found, and keeps the score.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/loopnest/second_reading/wide.h"
#include "report/verify/result_check.h"

namespace nestor::io {

class Claims {
 public:
  explicit Claims(ResultCheck& check) : check_(check) {}

  /// Prefixes every finding from here on ("layer 'conv1': ").
  void set_subject(std::string subject) { subject_ = std::move(subject); }
  const std::string& subject() const { return subject_; }

  void finding(const std::string& sentence);
  void count(std::string_view what, Int claimed, verify::Wide found);
  void amount(std::string_view what, double claimed, long double found);
  /// Nothing to compare where nothing is claimed.
  void count(std::string_view what, const std::optional<Int>& claimed, verify::Wide found) {
    if (claimed) count(what, *claimed, found);
  }
  void amount(std::string_view what, const std::optional<double>& claimed, long double found) {
    if (claimed) amount(what, *claimed, found);
  }
  /// A number in JSON; a missing one claims 0.
  void json_number(std::string_view what, const Json& map, const std::string& key, long double found);
  /// A figure was compared by the caller.
  void compared() { ++check_.figures; }
  void mapping_seen() { ++check_.mappings; }

 private:
  ResultCheck& check_;
  std::string subject_;
};

/// The claim of a result as a whole, as the independent checker states it of all spaces (check/claim.h): what
/// contradicts itself is found.
void check_claim(const Json& result, ResultCheck& check);

/// True if a double stands for this figure within verify_tolerance.
bool agrees(double claimed, long double found);

}  // namespace nestor::io

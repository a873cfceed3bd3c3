// Comparison of a result's claims with a second reading, as JSON, leaf by leaf. For nestor verify: every
// leaf is compared, or named as not checked.
#pragma once

#include <string>
#include <vector>

#include "report/verify/result_check.h"

namespace nestor::io {

/// Within verify_tolerance of the larger, or of 1e-6 if both are smaller.
bool nearly_equal(double a, double b);

/// A value in a sentence: long trees are not printed whole.
std::string shown(const Json& value);

/// The number under a key; the fallback where there is none.
double number_or(const Json& json, const char* key, double fallback);

/// Whether a claim is one of the words that a search ends with.
bool is_how_a_search_ends(const Json& claim);

class Comparison {
 public:
  /// Findings, figures and what is not checked go into `check`.
  explicit Comparison(ResultCheck& check) : check_(check) {}

  void find(std::string sentence) { check_.findings.push_back(std::move(sentence)); }
  /// A figure was compared by the caller.
  void compared() { ++check_.figures; }
  /// Names what is not checked; a key that stands alone may be there or not.
  void leave(const std::string& key);
  /// A key that is there, and that others check.
  void pass(const std::string& key) { elsewhere_.push_back(key); }
  /// Takes back what was left while its parts were compared.
  void take_up(const std::string& key) { std::erase(check_.not_checked, key); }
  /// `path`: with places, for people; `keys`: without, as not_checked has it. Both end in a dot, unless the
  /// trees are whole results.
  void compare(const Json& claimed, const Json& found, const std::string& path, const std::string& keys);
  void compare(const Json& claimed, const Json& found, const std::string& key) {
    compare(claimed, found, key + ".", key + ".");
  }

 private:
  bool is_left(const std::string& path) const;

  ResultCheck& check_;
  std::vector<std::string> elsewhere_;
};

}  // namespace nestor::io

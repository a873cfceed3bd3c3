// Comparison of a result's claims with recomputed figures, as JSON, leaf by leaf. For nestor verify: every
// leaf is either compared or listed as not checked.
#pragma once

#include <string>
#include <vector>

#include "report/verify/result_check.h"

namespace nestor::io {

/// True if the difference is at most verify_tolerance times the larger absolute value, or times 1e-6 if both
/// are smaller.
bool nearly_equal(double a, double b);

/// Returns a value as text for a sentence. For a map or a list, returns only the name of its type.
std::string shown(const Json& value);

/// Returns the value at a key, or null if there is none.
const Json& value_or_null(const Json& json, const char* key);
/// Returns the number at a key, or the fallback.
double number_or(const Json& json, const char* key, double fallback);

/// True if a claim is one of the statuses that results contain.
bool is_how_a_search_ends(const Json& claim);

class Comparison {
 public:
  /// Findings, figures and unchecked parts are added to `check`.
  explicit Comparison(ResultCheck& check) : check_(check) {}

  void find(std::string sentence) { check_.findings.push_back(std::move(sentence)); }
  /// Counts a figure that the caller compared.
  void compared() { ++check_.figures; }
  /// Lists an entry as not checked. If it is just a key, the key may be present or absent.
  void leave(const std::string& key);
  /// Marks a key that is present and checked elsewhere.
  void pass(const std::string& key) { elsewhere_.push_back(key); }
  /// Removes a key from the unchecked ones after its parts have been compared.
  void take_up(const std::string& key) { std::erase(check_.not_checked, key); }
  /// Compares two trees. `path` is for messages and includes indices; `keys` has none, as in not_checked.
  /// Both end in a dot, unless the trees are whole results.
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

// What a result claims against what a second reading found, as JSON, leaf by leaf. For nestor verify: every
// leaf is compared, or named as not checked.
#pragma once

#include <string>
#include <vector>

#include "io/files.h"
#include "model/loopnest/layer.h"

namespace nestor::report {

/// Equal up to the tolerance of energies and times.
bool agrees(double a, double b);

/// The number under a key; the fallback where there is none.
double number_or(const io::Json& json, const char* key, double fallback);

/// Whether a claim is one of the words that a search ends with.
bool is_how_a_search_ends(const io::Json& claim);

class Comparison {
 public:
  std::vector<std::string> findings;
  std::vector<std::string> not_checked;
  Int figures = 0;

  void find(std::string sentence) { findings.push_back(std::move(sentence)); }
  /// Names what is not checked; a key that stands alone may be there or not.
  void leave(const std::string& key);
  /// A key that is there, and that others check.
  void pass(const std::string& key) { elsewhere_.push_back(key); }
  /// `path`: with places, for people; `keys`: without, as not_checked has it. Both end in a dot.
  void compare(const io::Json& claimed, const io::Json& found, const std::string& path,
               const std::string& keys);

 private:
  bool is_left(const std::string& path) const;

  std::vector<std::string> elsewhere_;
};

}  // namespace nestor::report

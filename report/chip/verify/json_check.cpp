#include "report/chip/verify/json_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace nestor::io {
namespace {

// Long trees are not printed whole.
std::string shown(const Json& value) {
  return value.is_structured() ? std::string(value.type_name()) : value.dump(-1, ' ', true);
}

}  // namespace

bool nearly_equal(double a, double b) {
  return a == b || std::abs(a - b) <= verify_tolerance * std::max(std::abs(a), std::abs(b));
}

void compare_json(const std::string& at, const Json& claimed, const Json& found, ResultCheck& check) {
  const auto finding = [&](const std::string& text) { check.findings.push_back(text); };
  if (found.is_object() && claimed.is_object()) {
    for (const auto& [key, value] : found.items()) {
      const auto there = claimed.find(key);
      if (there == claimed.end())
        finding(fmt::format("{} has no '{}'", at, key));
      else
        compare_json(at + "." + key, *there, value, check);
    }
    for (const auto& [key, value] : claimed.items())
      if (!found.contains(key)) finding(fmt::format("{} has the unknown key '{}'", at, key));
    return;
  }
  if (found.is_array() && claimed.is_array()) {
    if (claimed.size() != found.size())
      finding(fmt::format("{} has {} entries, found {}", at, claimed.size(), found.size()));
    for (std::size_t i = 0; i < std::min(claimed.size(), found.size()); ++i)
      compare_json(fmt::format("{}[{}]", at, i), claimed[i], found[i], check);
    return;
  }
  ++check.figures;
  if (found.is_number_float() && claimed.is_number()) {
    if (nearly_equal(claimed.get<double>(), found.get<double>())) return;
  } else if (claimed == found && claimed.is_number_float() == found.is_number_float()) {
    return;
  }
  finding(fmt::format("{} is claimed as {}, found {}", at, shown(claimed), shown(found)));
}

}  // namespace nestor::io

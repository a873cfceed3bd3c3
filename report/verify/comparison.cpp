#include "report/verify/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace nestor::io {

std::string shown(const Json& value) {
  return value.is_structured() ? std::string(value.type_name()) : value.dump(-1, ' ', true);
}

bool nearly_equal(double a, double b) {
  constexpr double least = 1e-6;  // smaller figures are compared as if they were this large
  return a == b || std::abs(a - b) <= verify_tolerance * std::max({std::abs(a), std::abs(b), least});
}

const Json& value_or_null(const Json& json, const char* key) {
  static const Json nothing;
  const auto at = json.find(key);
  return at != json.end() ? *at : nothing;
}

double number_or(const Json& json, const char* key, double fallback) {
  const auto at = json.find(key);
  return at != json.end() && at->is_number() ? at->get<double>() : fallback;
}

bool is_how_a_search_ends(const Json& claim) {
  return std::any_of(statuses.words.begin(), statuses.words.end(),
                     [&](std::string_view word) { return claim == word; });
}

void Comparison::leave(const std::string& key) {
  auto& left = check_.not_checked;
  if (std::find(left.begin(), left.end(), key) == left.end()) left.push_back(key);
}

bool Comparison::is_left(const std::string& path) const {
  const auto has = [&](const std::vector<std::string>& list) {
    return std::find(list.begin(), list.end(), path) != list.end();
  };
  return has(check_.not_checked) || has(elsewhere_);
}

void Comparison::compare(const Json& claimed, const Json& found, const std::string& path,
                         const std::string& keys) {
  if (found.is_object() && claimed.is_object()) {
    for (const auto& [key, value] : found.items()) {
      const auto at = claimed.find(key);
      if (at == claimed.end())
        find(fmt::format("{}{} is missing", path, key));
      else
        compare(*at, value, path + key + ".", keys + key + ".");
    }
    for (const auto& [key, value] : claimed.items())
      if (!found.contains(key) && !is_left(keys + key))
        find(fmt::format("{}{} is not a key of such a result", path, key));
    return;
  }
  const auto name = path.substr(0, path.size() - 1);
  if (found.is_array() && claimed.is_array()) {
    if (found.size() != claimed.size())
      return find(fmt::format("{} has {} entries, expected {}", name, claimed.size(), found.size()));
    for (std::size_t i = 0; i < found.size(); ++i)
      compare(claimed[i], found[i], fmt::format("{}[{}].", name, i), keys.substr(0, keys.size() - 1) + "[].");
    return;
  }
  compared();
  // Counts must be equal.
  const bool same = found.is_number_float() && claimed.is_number()
                        ? nearly_equal(claimed.get<double>(), found.get<double>())
                        : claimed == found;
  if (!same) find(fmt::format("{} is claimed as {}, found {}", name, shown(claimed), shown(found)));
}

}  // namespace nestor::io

#include "report/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/results/result_file.h"

namespace nestor::report {

bool agrees(double a, double b) {
  constexpr double tolerance = 1e-9;
  return std::abs(a - b) <= tolerance * std::max({std::abs(a), std::abs(b), 1e-6});
}

double number_or(const io::Json& json, const char* key, double fallback) {
  const auto at = json.find(key);
  return at != json.end() && at->is_number() ? at->get<double>() : fallback;
}

bool is_how_a_search_ends(const io::Json& claim) {
  return std::any_of(io::statuses.words.begin(), io::statuses.words.end(),
                     [&](std::string_view word) { return claim == word; });
}

void Comparison::leave(const std::string& key) {
  if (std::find(not_checked.begin(), not_checked.end(), key) == not_checked.end()) not_checked.push_back(key);
}

bool Comparison::is_left(const std::string& path) const {
  const auto has = [&](const std::vector<std::string>& list) {
    return std::find(list.begin(), list.end(), path) != list.end();
  };
  return has(not_checked) || has(elsewhere_);
}

void Comparison::compare(const io::Json& claimed, const io::Json& found, const std::string& path,
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
        find(fmt::format("{}{} is not of such a result", path, key));
    return;
  }
  const auto name = path.substr(0, path.size() - 1);
  if (found.is_array() && claimed.is_array()) {
    if (found.size() != claimed.size())
      return find(fmt::format("{} has {} entries, found {}", name, claimed.size(), found.size()));
    for (std::size_t i = 0; i < found.size(); ++i)
      compare(claimed[i], found[i], fmt::format("{}[{}].", name, i), keys.substr(0, keys.size() - 1) + "[].");
    return;
  }
  ++figures;
  const bool whole = found.is_number_integer() && claimed.is_number_integer();
  const bool same = found.is_number() && claimed.is_number() && !whole
                        ? agrees(claimed.get<double>(), found.get<double>())
                        : claimed == found;
  if (!same) find(fmt::format("{} is {}, found {}", name, claimed.dump(), found.dump()));
}

}  // namespace nestor::report

#include "report/verify/baseline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "report/keys/chip.h"
#include "report/keys/cnm.h"
#include "report/keys/common.h"
#include "report/keys/simd.h"
#include "report/results/output_fields.h"
#include "report/results/result_parts.h"
#include "report/verify/comparison.h"

namespace nestor::io {
namespace {

// Keys, at any depth, that describe the course or the request of a run instead of its findings.
constexpr std::array<std::string_view, 11> not_found = {
    key::schema,  key::version,     key::inputs, key::options,   key::architecture, key::search,
    key::seconds, key::convergence, key::nodes,  key::occupancy, key::source};

bool is_found(std::string_view name) {
  return std::find(not_found.begin(), not_found.end(), name) == not_found.end();
}

// The first difference of two trees, and the number of differences.
class Differences {
 public:
  void compare(const Json& was, const Json& is, const std::string& path) {
    if (was.is_object() && is.is_object()) {
      for (const auto& [name, value] : was.items()) {
        if (!is_found(name)) continue;
        if (const auto at = is.find(name); at != is.end())
          compare(value, *at, path + "." + name);
        else
          add(fmt::format("{}.{} is missing", path, name));
      }
      for (const auto& [name, value] : is.items())
        if (is_found(name) && !was.contains(name)) add(fmt::format("{}.{} is new", path, name));
    } else if (was.is_array() && is.is_array()) {
      if (was.size() != is.size())
        return add(fmt::format("{} had {} entries, now has {}", path, was.size(), is.size()));
      for (std::size_t i = 0; i < was.size(); ++i) compare(was[i], is[i], fmt::format("{}[{}]", path, i));
    } else if (!are_same(was, is)) {
      add(fmt::format("{} was {}, is now {}{}", path, shown(was), shown(is), change(path, was, is)));
    }
  }

  std::optional<std::string> text() const {
    if (count_ == 0) return std::nullopt;
    if (count_ == 1) return first_;
    return fmt::format("{}, and {} more difference{} in this part", first_, count_ - 1,
                       count_ == 2 ? "" : "s");
  }

 private:
  static bool are_same(const Json& was, const Json& is) {
    const bool measured = was.is_number_float() || is.is_number_float();
    if (measured && was.is_number() && is.is_number())
      return nearly_equal(was.get<double>(), is.get<double>());
    return was == is;
  }
  // Returns by how much an objective became worse or better, as every objective is minimised.
  static std::string change(std::string_view path, const Json& was, const Json& is) {
    if (path.substr(path.rfind('.') + 1) != key::objective || !was.is_number() || !is.is_number()) return {};
    const double before = was.get<double>(), now = is.get<double>();
    if (!(before > 0)) return {};
    return fmt::format(" ({:.3g} % {})", 100 * std::abs(now - before) / before,
                       now > before ? "worse" : "better");
  }
  void add(std::string difference) {
    if (count_++ == 0) first_ = std::move(difference);
  }

  std::string first_;
  std::size_t count_ = 0;
};

std::string word_at(const Json& json, const char* key) {
  const auto at = json.find(key);
  return at != json.end() && at->is_string() ? at->get<std::string>() : std::string();
}

// True if the part has no final status (is_final), for example because a time limit stopped its search.
bool ended_by_clock(const Json& part) {
  const auto status = word_at(part, key::status);
  return std::any_of(statuses.values.begin(), statuses.values.end(),
                     [&](Status each) { return !is_final(each) && status == to_string(each); });
}

std::optional<double> figure(const Json& part, const char* name) {
  const auto at = part.find(name);
  if (at == part.end()) return std::nullopt;
  if (at->is_number()) return at->get<double>();
  if (const auto value = at->is_object() ? at->find(key::value) : at->end();
      at->is_object() && value != at->end() && value->is_number())
    return value->get<double>();
  return std::nullopt;
}

// Reports a mapping in either result that costs less than a proved bound in the other.
void find_contradictions(const Json& was, const Json& is, BaselineCase& found) {
  const auto refute = [&](const Json& bounded, const Json& mapped, std::string_view sentence) {
    const auto bound = figure(bounded, key::lower_bound);
    const auto objective = figure(mapped, key::objective);
    if (bound && objective && *objective < *bound && !nearly_equal(*objective, *bound))
      found.changes.push_back(fmt::format(fmt::runtime(sentence), *objective, *bound));
  };
  refute(was, is, "objective is {}, below the baseline's lower_bound {}");
  refute(is, was, "objective was {}, below the current lower_bound {}");
}

BaselineCase compare_parts(std::string name, const Json& was, const Json& is) {
  BaselineCase found{.name = std::move(name)};
  if (ended_by_clock(was)) {
    find_contradictions(was, is, found);
    found.not_compared =
        fmt::format("the baseline ended with {}, which depends on the clock", word_at(was, key::status));
    return found;
  }
  const Json none;
  for (const auto& [name_of_part, value] : was.items()) {
    if (!is_found(name_of_part)) continue;
    Differences differences;
    const auto at = is.find(name_of_part);
    differences.compare(value, at == is.end() ? none : *at, name_of_part);
    if (auto text = differences.text()) found.changes.push_back(std::move(*text));
  }
  for (const auto& [name_of_part, value] : is.items())
    if (is_found(name_of_part) && !was.contains(name_of_part))
      found.changes.push_back(fmt::format("{} is new", name_of_part));
  return found;
}

const Json* layers_of(const Json& result) {
  const auto at = result.find(key::layers);
  return at != result.end() && at->is_array() ? &*at : nullptr;
}

}  // namespace

namespace {

constexpr std::array<std::string_view, 3> outcomes = {"same", "changed", "not compared"};

void describe_case(Fields& fields, const BaselineCase& found) {
  const auto reason =
      found.not_compared.empty() ? std::nullopt : std::optional<std::string_view>(found.not_compared);
  put(fields, key::name, found.name, "");
  put_word(fields, "outcome", outcome_of(found), outcomes, "");
  put(fields, "changes", found.changes.empty() ? std::nullopt : std::optional(found.changes),
      "One sentence for each change.");
  put(fields, "reason", reason, "Reason why the part was not compared.");
}

void describe_baseline(Fields& fields, const BaselineRun& run) {
  constexpr std::array<std::string_view, 3> verbs = {"map", "compile", "schedule"};
  put(fields, "baseline", run.file, "File of the older result.");
  put_word(fields, key::verb, to_string(run.verb), verbs, "");
  put_word(fields, key::space, run.space, result_spaces, "");
  put_list(fields, key::parts, run.cases, describe_case,
           "The layers in order, followed by the rest of the result, named run.");
}

void describe_baselines(Fields& fields, const std::vector<BaselineRun>& baselines) {
  fields.constant(key::schema, "nestor.check/1", always, "");
  put(fields, key::version, std::string_view(NESTOR_VERSION), "");
  put_list(fields, "baselines", baselines, describe_baseline, "");
}

}  // namespace

std::string_view outcome_of(const BaselineCase& found) {
  if (!found.changes.empty()) return outcomes[1];
  return outcomes[found.not_compared.empty() ? 0 : 2];
}

Json baselines_json(const std::vector<BaselineRun>& baselines) {
  return write_fields([&](Fields& fields) { describe_baselines(fields, baselines); });
}

Json baselines_schema() {
  return schema_of([](Fields& fields) { describe_baselines(fields, {}); }, SchemaKind::output);
}

std::vector<BaselineCase> compare_with_baseline(const Json& baseline, const Json& now) {
  std::vector<BaselineCase> cases;
  Json was = baseline;
  Json is = now;
  bool by_clock = false;
  const Json* const old_layers = layers_of(baseline);
  const Json* const new_layers = layers_of(now);
  if (old_layers != nullptr && new_layers != nullptr && old_layers->size() == new_layers->size()) {
    for (std::size_t i = 0; i < old_layers->size(); ++i) {
      const Json& layer = (*old_layers)[i];
      cases.push_back(compare_parts(word_at(layer, key::name), layer, (*new_layers)[i]));
      by_clock = by_clock || ended_by_clock(layer);
    }
    was.erase(key::layers);
    is.erase(key::layers);
  }
  if (by_clock) {  // the sums include layers that a time limit ended
    was.erase(key::totals);
    is.erase(key::totals);
  }
  cases.push_back(compare_parts("run", was, is));
  return cases;
}

}  // namespace nestor::io

// Reader of plans of sweeps (docs/sweep.md): networks, machines with grids of changed values, and runs, in
// YAML or JSON. The reader expands all combinations of values. The swept verb interprets the machines,
// networks and options.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/enum_words.h"
#include "io/document.h"
#include "io/files.h"
#include "io/options.h"

namespace nestor::io {

/// Verbs that a plan may sweep.
inline constexpr auto swept_verbs = enum_words<Verb>({{Verb::map, "map"},
                                                      {Verb::compile, "compile"},
                                                      {Verb::estimate, "estimate"},
                                                      {Verb::schedule, "schedule"}});

/// Pairs of a name and a value as a user would type them.
using NamedValues = std::vector<std::pair<std::string, std::string>>;

struct SweptMachine {
  std::string base;  ///< a built-in name, or a file
  NamedValues set;   ///< pairs of PATH and VALUE for --set
  SourceLocation where;

  /// Returns a label such as "base axis.core.size=2".
  std::string label() const;
  std::vector<std::string> settings() const;
};

struct SweepPlan {
  std::string name;
  Verb verb = Verb::map;
  std::vector<std::string> networks;   ///< networks, kernels or netlists
  std::vector<SweptMachine> machines;  ///< empty for schedule, which describes its machine with options
  /// Option values of each run, including those of the whole plan. Names contain dashes, not underscores.
  std::vector<NamedValues> runs;
  std::string text;  ///< text of the file
};

Result<SweepPlan> parse_plan(std::string_view text, const std::string& file);
Result<SweepPlan> read_plan(const std::string& path);
Json plan_schema();

/// Joins names and values, as in "objective=edp method=optimal".
std::string to_text(const NamedValues& values);

}  // namespace nestor::io

// Plans of sweeps (docs/sweep.md): networks, machines with grids of changed values, and runs, in YAML or
// JSON. What machines, networks and options mean is for the verb that is swept; here every combination is
// written out.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/enum_words.h"
#include "io/document.h"
#include "io/options.h"

namespace nestor::io {

/// The verbs that a plan may sweep.
inline constexpr auto swept_verbs = enum_words<Verb>({{Verb::map, "map"},
                                                      {Verb::compile, "compile"},
                                                      {Verb::estimate, "estimate"},
                                                      {Verb::schedule, "schedule"}});

/// Names with values as they would be typed.
using NamedValues = std::vector<std::pair<std::string, std::string>>;

struct SweptMachine {
  std::string base;  ///< a name that ships, or a file
  NamedValues set;   ///< PATH and VALUE of --set
  SourceLocation where;

  /// "base axis.core.size=2"
  std::string label() const;
  std::vector<std::string> settings() const;
};

struct SweepPlan {
  std::string name;
  Verb verb = Verb::map;
  std::vector<std::string> networks;   ///< or kernels, or netlists
  std::vector<SweptMachine> machines;  ///< empty for schedule, whose machine is given by options
  std::vector<NamedValues> runs;       ///< with the options of the whole plan, names with dashes
  std::string text;                    ///< of the file
};

Result<SweepPlan> parse_plan(std::string_view text, const std::string& file);
Result<SweepPlan> read_plan(const std::string& path);

/// "objective=edp method=optimal"
std::string to_text(const NamedValues& values);

}  // namespace nestor::io

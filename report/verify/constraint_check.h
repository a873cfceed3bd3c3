// Check that the mappings of a result meet the constraints given by --fix.
#pragma once

#include <string>
#include <vector>

#include "io/constraint_file.h"
#include "io/options.h"
#include "model/loopnest/rules/satisfies_constraints.h"
#include "report/results/result_parts.h"

namespace nestor::io {

/// Returns a sentence for every fault. `layers` are records with `layer`, `best`, `alternatives` and `front`.
template <class Machine, class Records>
std::vector<std::string> broken_constraints(const RunHead& run, const RunOptions& given,
                                            const NamedMachine<Machine>& machine, const Records& layers) {
  const bool is_given = !run.constraints.is_null();
  if (is_given != !given.fix.empty())
    return {is_given ? "constraints are present without --fix" : "the constraints of --fix are missing"};
  if (!is_given) return {};
  const auto constraints = parse_constraints(run.constraints.dump(), "constraints", machine.machine, machine);
  if (!constraints) return {constraints.error().message};
  std::vector<std::string> faults;
  for (const auto& record : layers) {
    const auto keeps = [&](const auto& point) {
      if (!point.mapping) return true;
      const auto shape = point.nest(record.layer.shape);
      if constexpr (requires { point.mapping->nest; }) {
        return satisfies_constraints(*constraints, shape, machine.machine, point.mapping->nest);
      } else {
        return satisfies_constraints(*constraints, shape, machine.machine, *point.mapping);
      }
    };
    const auto check = [&](const auto& point) {
      if (!keeps(point))
        faults.push_back("layer '" + record.layer.name + "' has a mapping that violates its constraints");
    };
    check(record.best);
    for (const auto& point : record.alternatives) check(point);
    for (const auto& point : record.front) check(point);
  }
  return faults;
}

}  // namespace nestor::io

// Reader of constraint files: decisions that `nestor map --fix FILE` fixes before the search
// (docs/formats.md, "Constraints"). YAML or JSON; all keys except `dim` and `factor` are optional:
//
//     axes:
//       row: {dims: [C, R], factors: {C: 64}, min_utilisation: 0.5}
//     memories:
//       gbuf: {must_use: [I], must_not_use: [W]}
//     outer_loops: [{dim: K, factor: 2}]        # from the outside in
//     stationary: [W]                           # operands whose innermost tiles are loaded once
#pragma once

#include <string>
#include <string_view>

#include "io/error.h"
#include "io/files.h"
#include "model/loopnest/constraints.h"
#include "model/workload/named_machine.h"

namespace nestor::io {

Result<Constraints> parse_constraints(std::string_view text, const std::string& file,
                                      const Hierarchy& machine, const HierarchyNames& names);
Json constraints_schema();

}  // namespace nestor::io

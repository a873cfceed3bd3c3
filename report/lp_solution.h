// Output of `nestor lp` for a linear program.
#pragma once

#include <string>
#include <string_view>

#include "io/files.h"
#include "io/lp/lp_model.h"
#include "solver/simplex/simplex.h"

namespace nestor::report {

/// "nestor.lp/1"; the solution in the file's own sense. `status`: as results of all verbs name it.
io::Json lp_json(const io::LpModel& model, const simplex::LpSolution& solution, std::string_view status);

std::string lp_text(const io::LpModel& model, const simplex::LpSolution& solution, std::string_view status);

/// Why there is no optimum, for a status that says so.
std::string no_optimum_text(const io::LpModel& model, simplex::LpStatus status);

}  // namespace nestor::report

// What `nestor lp` says of a linear program.
#pragma once

#include <string>

#include "io/files.h"
#include "io/lp/lp_model.h"
#include "solver/simplex/simplex.h"

namespace nestor::report {

/// "nestor.lp/1"; the solution in the file's own sense.
io::Json lp_json(const io::LpModel& model, const simplex::LpSolution& solution);

std::string lp_text(const io::LpModel& model, const simplex::LpSolution& solution);

/// Why there is no optimum, for a status that says so.
std::string no_optimum_text(const io::LpModel& model, simplex::LpStatus status);

}  // namespace nestor::report

// Output of `nestor lp` for a linear program.
#pragma once

#include <string>
#include <string_view>

#include "io/files.h"
#include "io/lp/lp_model.h"
#include "solver/simplex/simplex.h"

namespace nestor::report {

/// Returns the solution as JSON, "nestor.lp/1", for the file's own sense (minimise or maximise). `status` is
/// the word that results of all verbs use.
io::Json lp_json(const io::LpModel& model, const simplex::LpSolution& solution, std::string_view status);
io::Json lp_schema();

std::string lp_text(const io::LpModel& model, const simplex::LpSolution& solution, std::string_view status);

/// Returns the reason for a status without an optimum.
std::string no_optimum_text(const io::LpModel& model, simplex::LpStatus status);

}  // namespace nestor::report

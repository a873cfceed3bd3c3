// Checks of every linear program that the LP or MPS reader accepts. If the program is written in either
// format and read back, its numbers of rows and nonzero entries do not change. The solver handles a small
// program without a crash.
#pragma once

#include <cstdlib>

#include "io/lp/lp_model.h"
#include "solver/simplex/simplex.h"

namespace nestor::fuzzing {

inline void check_program(const io::Result<io::LpModel>& model) {
  if (!model) return;
  for (const auto& again :
       {io::parse_mps(io::mps_text(*model), "written"), io::parse_lp(io::lp_text(*model), "written")})
    if (!again || again->program.rows() != model->program.rows() ||
        again->program.entries() != model->program.entries())
      std::abort();
  if (model->program.rows() > 20 || model->program.columns() > 20) return;
  simplex::SimplexOptions options;
  options.iteration_limit = 2000;
  simplex::Simplex(model->minimisation(), options).solve();
}

}  // namespace nestor::fuzzing

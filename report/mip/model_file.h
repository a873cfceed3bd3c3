// A formulation as files: MPS or LP for MIP solvers, and start solutions in the formats of four solvers.
#pragma once

#include <filesystem>
#include <string>

#include "io/lp/lp_model.h"
#include "model/mip/program.h"

namespace nestor::report {

io::LpModel lp_model(const mip::Program& program, const std::string& name);

/// Writes the known solution for Gurobi (MODEL.mst), HiGHS (MODEL.sol), SCIP (MODEL.scip.sol) and CBC
/// (MODEL.start) to files beside `model`.
io::MaybeError write_starts(const std::filesystem::path& model, const mip::Program& program);

}  // namespace nestor::report

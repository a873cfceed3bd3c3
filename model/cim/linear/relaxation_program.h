// Linear program of the relaxation (relaxation.h) for one pattern of use, that is, for a given choice of the
// memories that each operand uses.
#pragma once

#include <array>
#include <vector>

#include "model/cim/linear/relaxation_setting.h"
#include "solver/simplex/linear_program.h"

namespace nestor::cim {

/// Columns of a content: one z per dimension; no_index if the dimension has no temporal loops.
struct Content {
  Operand operand = Operand::I;
  std::size_t memory = 0;
  std::array<simplex::Index, dim_count> log_extent{};
};

struct RelaxationProgram {
  simplex::LinearProgram program;
  std::vector<Content> contents;
};

RelaxationProgram build_relaxation(RelaxedCost cost, const SpatialSetting& setting, const UsePattern& pattern,
                                   const ContentLimits& limits);

}  // namespace nestor::cim

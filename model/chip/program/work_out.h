// Which function an operator of a chip-network computes, worked out from its shapes and needs where the file
// does not say (docs/models/chip-program.md, "Functions"): a square kernel of the size that the matrix has
// room for, the pool that a stride of rows suggests, an addition where two equal tensors meet. What nothing
// fits stays unknown.
#pragma once

#include "model/chip/network.h"

namespace nestor::chip_program {

/// Fills in every function that is unknown.
void work_out_functions(chip::ChipNetwork& network);

}  // namespace nestor::chip_program

// Inference of the functions of a chip-network from the shapes of tensors and the rows that operators wait
// for, if the file does not specify a function (docs/models/chip-program.md, "Functions"). Examples are a
// square kernel of the size that fits the matrix, a pool that fits the row stride, and an addition of two
// tensors of equal shape. If nothing fits, the function remains unknown.
#pragma once

#include "model/chip/network.h"

namespace nestor::chip_program {

/// Sets every function that is unknown and can be inferred.
void infer_functions(chip::ChipNetwork& network);

}  // namespace nestor::chip_program

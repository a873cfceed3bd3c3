// Inference of the functions of a chip-network from shapes and needs, for operators whose function is missing
// in the file (docs/models/chip-program.md, "Functions"). Examples are a square kernel of the size that fits
// the matrix, a pool that fits the row stride, and an addition of two equal tensors. If nothing fits, the
// function remains unknown.
#pragma once

#include "model/chip/network.h"

namespace nestor::chip_program {

/// Sets every function that is unknown and can be inferred.
void infer_functions(chip::ChipNetwork& network);

}  // namespace nestor::chip_program

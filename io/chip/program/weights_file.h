// Reader and writer of the weights file of a program (docs/formats.md, "Weights of a chip program"): a line
// that names the format, a line of JSON with an entry for each list of integers, then the integers in
// little-endian order. A text program names its weights file, which is in the same folder; a binary program
// contains the weights.
#pragma once

#include <string>
#include <string_view>

#include "io/error.h"
#include "model/chip/program/program.h"

namespace nestor::io {

/// Returns the content of the weights file of a program, which must contain its weights.
std::string weights_bytes(const chip_program::Program& program);

/// Stores the file's integers in a program. Fails if the file names an operator that the program lacks.
MaybeError parse_weights(std::string_view bytes, const std::string& file, chip_program::Program& program);

/// True if a program's weights file may have this name. The name must not contain a folder.
bool is_weights_name(std::string_view name);

}  // namespace nestor::io

// The weights of a program as a file (docs/formats.md, "Weights of a chip program"): a line that says what it
// is, a line of JSON with an entry for every list of integers, then the integers, least byte first. Text
// programs name the file, which lies beside them; binary ones hold it inside.
#pragma once

#include <string>
#include <string_view>

#include "io/error.h"
#include "model/chip/program/program.h"

namespace nestor::io {

/// Of a program that has numbers.
std::string weights_bytes(const chip_program::Program& program);

/// Takes the file's integers into a program, which must have all the operators that it names.
MaybeError parse_weights(std::string_view bytes, const std::string& file, chip_program::Program& program);

/// Whether a program may name its weights so: a file beside it.
bool is_weights_name(std::string_view name);

}  // namespace nestor::io

// Meta-operator programs as files (docs/models/chip-program.md): a text for people and the same tree in a
// compact binary form, LEB128 numbers behind one table of strings. Reading either and writing the other gives
// the same bytes each time. Readers take any input: they say what is wrong and where, and what they return
// may be executed without further checks of its structure.
#pragma once

#include <string>
#include <string_view>

#include "io/error.h"
#include "model/chip/program/program.h"

namespace nestor::io {

std::string to_text(const chip_program::Program& program);
std::string to_binary(const chip_program::Program& program);

/// Reads either form; `file` is the name in messages.
Result<chip_program::Program> parse_program(std::string_view bytes, const std::string& file);
Result<chip_program::Program> parse_program_text(std::string_view text, const std::string& file);
Result<chip_program::Program> parse_program_binary(std::string_view bytes, const std::string& file);
bool is_binary_program(std::string_view bytes);

Result<chip_program::Program> read_program(const std::string& path);

}  // namespace nestor::io

// Readers and writers of meta-operator programs (docs/models/chip-program.md). There are two forms of the
// same tree: readable text, and compact binary with one table of strings followed by LEB128 numbers.
// Converting a written program to the other form and back yields the same bytes. Readers accept untrusted
// input, and report an error with its position. A program that they return can be executed without further
// checks of its structure.
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

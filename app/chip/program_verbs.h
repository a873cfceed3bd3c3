// Meta-operator programs on the command line: simulated and shown. Rows of the table of spaces call these.
#pragma once

#include "app/space.h"

namespace nestor::app::chip_space {

/// Timing of a program, or of the program of a result, and with --functional its numbers.
io::Result<Outcome> simulate(const io::RunOptions& options);
/// A program in either form as text; with --output as the other form.
io::Result<Shown> show_program(const std::string& path, const io::RunOptions& options);
/// Is the file a program, by its first bytes?
bool owns(std::string_view path, std::string_view head);

}  // namespace nestor::app::chip_space

// Command-line functions of the chip space, called through its row in the table of spaces.
#pragma once

#include "app/space.h"

namespace nestor::app::chip_space {

/// Compiles a whole network for the chip.
io::Result<ExitStatus> compile(const io::RunOptions& options);
/// Evaluates the cost of decisions that are given or are part of a result.
io::Result<ExitStatus> evaluate(const io::RunOptions& options);
/// Simulates a program from a file, or the program of a result.
io::Result<ExitStatus> simulate(const io::RunOptions& options);
/// Verifies that the decisions of a result are legal and that every figure agrees with a new computation.
io::Result<ExitStatus> verify(const io::RunOptions& options);
io::Result<Shown> show_architecture(const std::string& path_or_name, const io::RunOptions& options);
/// Shows a chip-network, or a program in its text or binary form.
io::Result<Shown> show_file(const std::string& path, const io::RunOptions& options);
/// Shows a result as text: operators, segments and the schedule.
io::Result<Shown> show_solutions(const io::RunOptions& options);

}  // namespace nestor::app::chip_space

// The chip space on the command line: its row in the table of spaces calls these.
#pragma once

#include "app/space.h"

namespace nestor::app::chip_space {

/// A whole network compiled to the chip.
io::Result<ExitStatus> compile(const io::RunOptions& options);
/// The cost of given decisions, or of those of a result.
io::Result<ExitStatus> evaluate(const io::RunOptions& options);
/// A program executed: its own, or that of a result.
io::Result<ExitStatus> simulate(const io::RunOptions& options);
/// A result: decisions legal, every figure worked out again and compared.
io::Result<ExitStatus> verify(const io::RunOptions& options);
io::Result<Shown> show_architecture(const std::string& path_or_name, const io::RunOptions& options);
/// A chip-network, or a program in either form.
io::Result<Shown> show_file(const std::string& path, const io::RunOptions& options);
/// A result as text: operators, segments and the schedule.
io::Result<Shown> show_solutions(const io::RunOptions& options);

}  // namespace nestor::app::chip_space

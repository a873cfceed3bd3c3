// Command-line functions of the cnm space, called through its row in the table of spaces.
#pragma once

#include "app/space.h"
#include "model/cnm/system.h"

namespace nestor::app::cnm_space {

io::Result<ExitStatus> estimate(const io::RunOptions& options);
io::Result<ExitStatus> map(const io::RunOptions& options);
io::Result<ExitStatus> evaluate(const io::RunOptions& options);
io::Result<ExitStatus> simulate(const io::RunOptions& options);
io::Result<ExitStatus> verify(const io::RunOptions& options);
io::Result<Shown> show_architecture(const std::string& path_or_name, const io::RunOptions& options);
io::Result<Shown> show_solutions(const io::RunOptions& options);
/// Shows a kernel or a program in the form that --as selects.
io::Result<Shown> show_file(const std::string& path, const io::RunOptions& options);
/// True if the file is a kernel in a language that only this space reads.
bool owns(std::string_view path, std::string_view head);

/// Reads the system that --arch names and applies every --set.
io::Result<cnm::System> read_system(const io::RunOptions& options);

}  // namespace nestor::app::cnm_space

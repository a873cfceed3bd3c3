// The cnm space on the command line: its row in the table of spaces calls these.
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
/// A kernel, lowered as far as --as asks.
io::Result<Shown> show_file(const std::string& path, const io::RunOptions& options);
/// Kernels in the languages that only this space reads.
bool owns(std::string_view path, std::string_view head);

/// The system that --arch names, with every --set.
io::Result<cnm::System> read_system(const io::RunOptions& options);

}  // namespace nestor::app::cnm_space

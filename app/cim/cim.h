// The cim space on the command line: its row in the table of spaces calls these.
#pragma once

#include "app/space.h"

namespace nestor::app::cim_space {

io::Result<Outcome> map(const io::RunOptions& options);
io::Result<Outcome> evaluate(const io::RunOptions& options);
io::Result<Outcome> simulate(const io::RunOptions& options);
io::Result<Outcome> verify(const io::RunOptions& options);
io::Result<Shown> show_architecture(const std::string& path_or_name, const io::RunOptions& options);
io::Result<Shown> show_solutions(const io::RunOptions& options);

}  // namespace nestor::app::cim_space

// The simd space on the command line: its row in the table of spaces calls these.
#pragma once

#include "app/space.h"
#include "model/simd/tech_map.h"

namespace nestor::app::simd_space {

io::Result<ExitStatus> schedule(const io::RunOptions& options);
/// A schedule against its netlist.
io::Result<ExitStatus> verify(const io::RunOptions& options);
io::Result<Shown> show_schedule(const std::string& file, const io::RunOptions& options);
io::Result<Shown> show_solutions(const io::RunOptions& options);
/// Is the file a schedule, by its first word?
bool owns(std::string_view path, std::string_view head);

/// Of --remap.
simd::MapPolicy map_policy(const io::RunOptions& options);

}  // namespace nestor::app::simd_space

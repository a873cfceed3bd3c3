// Command-line functions of the simd space, called through its row in the table of spaces.
#pragma once

#include "app/space.h"
#include "model/simd/tech_map.h"

namespace nestor::app::simd_space {

io::Result<ExitStatus> schedule(const io::RunOptions& options);
/// Verifies a schedule against its netlist.
io::Result<ExitStatus> verify(const io::RunOptions& options);
io::Result<Shown> show_schedule(const std::string& file, const io::RunOptions& options);
io::Result<Shown> show_solutions(const io::RunOptions& options);
/// True if the file begins with the first word of a schedule.
bool owns(std::string_view path, std::string_view head);

/// Returns the policy that --remap selects.
simd::MapPolicy map_policy(const io::RunOptions& options);

}  // namespace nestor::app::simd_space

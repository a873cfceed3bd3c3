// Command-line functions of the pim space, called through its row in the table of spaces.
#pragma once

#include "app/space.h"
#include "app/sweep_space.h"

namespace nestor::app::pim_space {

extern const SweepSpace sweep;
io::Result<ExitStatus> map(const io::RunOptions& options);
io::Result<ExitStatus> evaluate(const io::RunOptions& options);
io::Result<ExitStatus> simulate(const io::RunOptions& options);
io::Result<ExitStatus> verify(const io::RunOptions& options);
io::Result<ExitStatus> export_model(const io::RunOptions& options);
io::Result<ExitStatus> compare(const io::RunOptions& options);
io::Result<std::unique_ptr<MipModel>> read_mip_model(const io::Node& sidecar);
io::Result<Shown> show_architecture(const std::string& path_or_name, const io::RunOptions& options);
io::Result<Shown> show_solutions(const io::RunOptions& options);

}  // namespace nestor::app::pim_space

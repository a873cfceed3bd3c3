// The pim space on the command line: its row in the table of spaces calls these.
#pragma once

#include "app/space.h"
#include "app/sweep_space.h"
#include "report/results/pim/result_file.h"

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

/// Layers with mappings from a result file, or from --arch, --layers and --mapping; as `verb` will report on
/// them.
io::Result<io::pim::RunRecord> read_mapped_layers(const io::RunOptions& options, io::Verb verb);

/// The same with mappings in canonical form; the first illegal one is an error. Layers without a mapping
/// pass.
io::Result<io::pim::RunRecord> read_legal_layers(const io::RunOptions& options, io::Verb verb);

}  // namespace nestor::app::pim_space

// Command-line functions of the pim space, called through its row in the table of spaces.
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

/// Reads layers with mappings from a result file, or from --arch, --layers and --mapping, for a report by
/// `verb`.
io::Result<io::pim::RunRecord> read_mapped_layers(const io::RunOptions& options, io::Verb verb);

/// Reads the layers and brings their mappings into canonical form. The first illegal mapping is an error.
/// Layers without a mapping are skipped.
io::Result<io::pim::RunRecord> read_legal_layers(const io::RunOptions& options, io::Verb verb);

}  // namespace nestor::app::pim_space

// Layers with mappings onto a cim machine, from a result file or from --arch, --layers and --mapping.
#pragma once

#include "io/options.h"
#include "report/results/cim/result_file.h"

namespace nestor::app::cim_space {

/// Reads the layers for a report by `verb`: options and inputs are recorded, and layers without a mapping
/// keep the outcome of their search. The legality of the mappings is not checked.
io::Result<io::RunResult> read_mapped_layers(const io::RunOptions& options, io::Verb verb);

/// Reads the layers and brings their mappings into canonical form. The first illegal mapping is an error.
/// Layers without a mapping are skipped.
io::Result<io::RunResult> read_legal_layers(const io::RunOptions& options, io::Verb verb);

}  // namespace nestor::app::cim_space

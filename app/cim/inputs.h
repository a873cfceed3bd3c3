// Layers with mappings onto a cim machine, from a result file or from --arch, --layers and --mapping.
#pragma once

#include "io/options.h"
#include "report/results/cim/result_file.h"

namespace nestor::app::cim_space {

/// As `verb` will report on them: options and inputs recorded, what a search said of the layers left out.
/// Nothing is checked beyond what the readers check.
io::Result<io::RunResult> read_mapped_layers(const io::RunOptions& options, io::Verb verb);

/// The same with mappings in canonical form; the first illegal one is an error. Layers without a mapping
/// pass.
io::Result<io::RunResult> read_legal_layers(const io::RunOptions& options, io::Verb verb);

}  // namespace nestor::app::cim_space

// What verbs work on, read and checked: a network, or layers with mappings onto an architecture, in the forms
// of the overview's "Common surface": a result file, or --layers, --mapping and --arch.
#pragma once

#include "io/options.h"
#include "io/result_file.h"

namespace nestor::app {

/// A layer file, an ONNX model, or the name of a network that ships.
io::Result<Network> read_network(const std::string& path_or_name, const io::RunOptions& options);

/// Leaves only the layers of these names (--layer); no name leaves all.
io::MaybeError keep_layers(io::RunResult& run, std::span<const std::string> names);
io::MaybeError keep_layers(Network& network, std::span<const std::string> names);

/// As `verb` will report on them: options and inputs recorded, what a search said of the layers left out.
/// Nothing is checked beyond what the readers check.
io::Result<io::RunResult> read_mapped_layers(const io::RunOptions& options, io::Verb verb);

/// Brings the mappings into canonical form; the first illegal one is an error. Layers without a mapping pass.
io::MaybeError normalise_and_check(io::RunResult& run, const io::RunOptions& options);

}  // namespace nestor::app

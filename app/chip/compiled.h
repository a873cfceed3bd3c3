// Compiled networks and what they are made of, read from files.
#pragma once

#include <string>

#include "app/space.h"
#include "model/chip/split.h"
#include "report/results/chip/compiled_file.h"

namespace nestor::app::chip_space {

using io::CompiledNetwork;

/// A network that cannot be put on a machine at all.
io::Error refusal(const std::string& file, const chip::ChipRefusal& refused);
/// --arch with --mode.
io::Result<chip::ChipMachine> read_machine(const io::RunOptions& options);
/// A network by a name that ships, an ONNX model or a chip-network file, with what its operators compute.
io::Result<chip::ChipNetwork> read_whole_network(const std::string& path_or_name,
                                                 const chip::ChipMachine& machine,
                                                 const io::RunOptions& options);
/// Made fit for the machine: split, and small enough to compute with.
io::Result<chip::ChipNetwork> fit_network(const std::string& file, const chip::ChipMachine& machine,
                                          chip::ChipNetwork whole);
/// Both.
io::Result<chip::ChipNetwork> read_network(const std::string& path_or_name, const chip::ChipMachine& machine,
                                           const io::RunOptions& options);
/// A result of `compile`, its decisions legal.
io::Result<CompiledNetwork> read_result(const std::string& path);

}  // namespace nestor::app::chip_space

// Compiled networks and their inputs, read from files.
#pragma once

#include <string>

#include "app/space.h"
#include "model/chip/split.h"
#include "report/results/chip/compiled_file.h"

namespace nestor::app::chip_space {

using io::CompiledNetwork;

/// Returns the error for a network that cannot be compiled for the machine.
io::Error refusal(const std::string& file, const chip::ChipRefusal& refused);
/// Reads the machine of --arch, with --mode applied.
io::Result<chip::ChipMachine> read_machine(const io::RunOptions& options);
/// Reads a shipped network, an ONNX model or a chip-network file, and determines the functions of its
/// operators.
io::Result<chip::ChipNetwork> read_whole_network(const std::string& path_or_name,
                                                 const chip::ChipMachine& machine,
                                                 const io::RunOptions& options);
/// Adapts a network to the machine: splits it, and refuses sizes that are too large to compute with.
io::Result<chip::ChipNetwork> fit_network(const std::string& file, const chip::ChipMachine& machine,
                                          chip::ChipNetwork whole);
/// Reads a network and adapts it to the machine.
io::Result<chip::ChipNetwork> read_network(const std::string& path_or_name, const chip::ChipMachine& machine,
                                           const io::RunOptions& options);
/// Reads a result of `compile` and checks that its decisions are legal.
io::Result<CompiledNetwork> read_result(const std::string& path);

}  // namespace nestor::app::chip_space

// ONNX models as networks of chip operators (docs/models/chip.md, section 3): convolutions and products by
// constants become operators on crossbars, products of two activations may go either way, everything else is
// digital, and what only renames or reorders elements costs nothing: its readers look through it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "io/onnx/import.h"
#include "model/chip/machine.h"
#include "model/chip/network.h"
#include "model/chip/real_model.h"

namespace nestor::io {

/// Reads a model; the network takes the file's name. `alu_ops` replaces operations per element of digital
/// operators (ChipMachine::alu_ops). The batch must be 1.
Result<chip::ChipNetwork> import_chip_network(const std::filesystem::path& path,
                                              const chip::ChipMachine& machine,
                                              const OnnxOptions& options = {});

/// The same from memory; `file` stands in messages and names the network.
Result<chip::ChipNetwork> import_chip_network_bytes(std::string_view bytes, const std::string& file,
                                                    const chip::ChipMachine& machine,
                                                    const OnnxOptions& options = {});

/// The same with the numbers that the file holds: weights, scales, constants.
Result<chip::ChipNetwork> import_chip_model(const std::filesystem::path& path,
                                            const chip::ChipMachine& machine, const OnnxOptions& options,
                                            chip::RealModel& model);
Result<chip::ChipNetwork> import_chip_model_bytes(std::string_view bytes, const std::string& file,
                                                  const chip::ChipMachine& machine,
                                                  const OnnxOptions& options, chip::RealModel& model);

/// A network by the name of one that ships (data/networks/chip), by the path of an ONNX model, or by that of
/// a chip-network file.
Result<chip::ChipNetwork> read_chip_workload(const std::string& path_or_name,
                                             const chip::ChipMachine& machine,
                                             const OnnxOptions& options = {});

}  // namespace nestor::io

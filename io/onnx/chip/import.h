// Import of ONNX models as networks of chip operators (docs/models/chip.md, section 3). Convolutions and
// products by constants run on crossbars, products of two activations run there or on the digital unit, and
// everything else is digital. Nodes that only rename or reorder elements are free: their readers access the
// source directly.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "io/onnx/import.h"
#include "model/chip/machine.h"
#include "model/chip/network.h"
#include "model/chip/real_model.h"

namespace nestor::io {

/// Reads a model; the network is named after the file. The machine's `functions` or `alu_ops` replace the
/// default numbers of operations of digital operators. The batch must be 1.
Result<chip::ChipNetwork> import_chip_network(const std::filesystem::path& path,
                                              const chip::ChipMachine& machine,
                                              const OnnxOptions& options = {});

/// Reads a model from memory; `file` appears in messages and names the network.
Result<chip::ChipNetwork> import_chip_network_bytes(std::string_view bytes, const std::string& file,
                                                    const chip::ChipMachine& machine,
                                                    const OnnxOptions& options = {});

/// Reads a model, and stores the weights, scales and constants of the file in `model`.
Result<chip::ChipNetwork> import_chip_model(const std::filesystem::path& path,
                                            const chip::ChipMachine& machine, const OnnxOptions& options,
                                            chip::RealModel& model);
Result<chip::ChipNetwork> import_chip_model_bytes(std::string_view bytes, const std::string& file,
                                                  const chip::ChipMachine& machine,
                                                  const OnnxOptions& options, chip::RealModel& model);

/// Reads a network: a built-in one by name (data/networks/chip), or an ONNX model or a chip-network file by
/// path.
Result<chip::ChipNetwork> read_chip_workload(const std::string& path_or_name,
                                             const chip::ChipMachine& machine,
                                             const OnnxOptions& options = {});

}  // namespace nestor::io

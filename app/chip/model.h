// Models with weights for the verbs of the chip space: reading from ONNX, quantisation, and input images.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/chip/compiled.h"
#include "base/stop_signal.h"
#include "io/chip/npy.h"
#include "model/chip/program/numbers.h"
#include "model/chip/real_model.h"

namespace nestor::app::chip_space {

struct Model {
  chip::ChipNetwork whole;  ///< the network before splitting
  chip::RealModel real;
};

/// Reads an ONNX model with its data. Returns nothing if the file is not an ONNX model, or if the model has
/// shapes but no data.
io::Result<std::optional<Model>> read_model(const std::string& path_or_name, const chip::ChipMachine& machine,
                                            const io::RunOptions& options);

/// Quantises a model with scales from --calibrate or from a seeded image. Returns an error if `stop`
/// interrupts the quantisation.
io::Result<chip_program::ProgramNumbers> quantise_model(const std::string& file, const Model& model,
                                                        const io::RunOptions& options,
                                                        const StopSignal* stop = nullptr);

/// Splits the integers of a quantised model in the same way as the network was split for the machine.
std::shared_ptr<const chip_program::ProgramNumbers> cut_for(const Model& model,
                                                            const chip_program::ProgramNumbers& numbers,
                                                            const chip::ChipNetwork& fitted);

/// Returns the images of an array, each in the layout of the chip.
io::Result<std::vector<std::vector<double>>> images_of(const io::NpyArray& array, const std::string& file,
                                                       const chip::TensorLayout& layout);

}  // namespace nestor::app::chip_space

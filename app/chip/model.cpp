#include "app/chip/model.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/chip/network_file.h"
#include "io/find_data.h"
#include "io/onnx/chip/import.h"
#include "mapper/chip/compile_network.h"
#include "model/chip/program/infer_functions.h"
#include "model/chip/split.h"
#include "sim/chip/quantise.h"

namespace nestor::app::chip_space {

io::Result<std::optional<Model>> read_model(const std::string& path_or_name, const chip::ChipMachine& machine,
                                            const io::RunOptions& options) {
  const auto path = io::find_data(io::chip_networks, path_or_name);
  if (!path) return path.error();
  if (path->extension() != ".onnx") return std::optional<Model>();
  io::OnnxOptions onnx;
  for (const auto& [name, value] : options.dims) onnx.dims.push_back({name, value});
  onnx.unknown = options.unknown_operations;
  Model model;
  auto network = io::import_chip_model(*path, machine, onnx, model.real);
  if (!network) return network.error();
  if (!model.real.has_data) return std::optional<Model>();
  model.whole = std::move(*network);
  if (const auto refused = chip::admit(machine, model.whole)) return refusal(path_or_name, *refused);
  chip_program::infer_functions(model.whole);
  return std::optional(std::move(model));
}

io::Result<chip_program::ProgramNumbers> quantise_model(const std::string& file, const Model& model,
                                                        const io::RunOptions& options,
                                                        const StopSignal* stop) {
  sim::chip::Calibration calibration;
  calibration.per_tensor = options.per_tensor;
  calibration.stop = stop;
  if (!options.calibrate.empty()) {
    const auto array = io::read_npy(options.calibrate);
    if (!array) return array.error();
    if (!model.real.input) return io::input_error({file}, "the element order of its first input is unknown");
    auto images = images_of(*array, options.calibrate, *model.real.input);
    if (!images) return images.error();
    calibration.images = std::move(*images);
  }
  auto numbers = sim::chip::quantise(model.whole, model.real, calibration);
  if (const auto* fault = std::get_if<sim::chip::Fault>(&numbers))
    return io::input_error({file}, fault->message);
  return std::move(std::get<chip_program::ProgramNumbers>(numbers));
}

std::shared_ptr<const chip_program::ProgramNumbers> cut_for(const Model& model,
                                                            const chip_program::ProgramNumbers& numbers,
                                                            const chip::ChipNetwork& fitted) {
  return std::make_shared<const chip_program::ProgramNumbers>(
      chip_program::cut_numbers(model.whole, numbers, fitted));
}

// Accepts the shape [images, dims], with or without the batch of 1 in dims. The shape [dims] is a single
// image.
io::Result<std::vector<std::vector<double>>> images_of(const io::NpyArray& array, const std::string& file,
                                                       const chip::TensorLayout& layout) {
  const auto list = [](const std::vector<Int>& extents) {
    return fmt::format("[{}]", fmt::join(extents, ", "));
  };
  std::vector<Int> each = layout.dims;
  const bool batch = !each.empty() && each.front() == 1;
  std::vector<Int> inner(each.begin() + (batch ? 1 : 0), each.end());
  const auto is_batch_of = [&](const std::vector<Int>& dims) {
    return array.shape.size() == dims.size() + 1 &&
           std::equal(dims.begin(), dims.end(), array.shape.begin() + 1);
  };
  Int count = 0;
  if (array.shape == each || array.shape == inner) count = 1;
  if (count == 0 && (is_batch_of(each) || (batch && is_batch_of(inner)))) count = array.shape.front();
  if (count == 0)
    return io::input_error(
        {file},
        fmt::format("contains an array of shape {}; expected images of the shape {} of {}", list(array.shape),
                    list(batch ? inner : each),
                    batch ? "[images, " + list(inner).substr(1) : "[images, " + list(each).substr(1)));
  const auto places = layout.places();
  std::vector<std::vector<double>> images(static_cast<std::size_t>(count),
                                          std::vector<double>(places.size()));
  for (std::size_t i = 0; i < images.size(); ++i)
    for (std::size_t k = 0; k < places.size(); ++k)
      images[i][static_cast<std::size_t>(places[k])] = array.values[i * places.size() + k];
  return images;
}

}  // namespace nestor::app::chip_space

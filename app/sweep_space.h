// A space as sweeps see it: machines as JSON that stands for itself, and one point solved without any file.
#pragma once

#include <span>
#include <string>

#include "io/document.h"
#include "io/files.h"
#include "io/options.h"
#include "io/store/store.h"
#include "mapper/loopnest/resources.h"
#include "model/loopnest/layer.h"

namespace nestor::app {

// Keys of a point's inputs.
inline constexpr char point_machine[] = "machine";
inline constexpr char point_layer[] = "layer";

struct SweepSpace {
  /// The machine of this name or file with values set, in the form in which results embed it.
  io::Result<io::Json> (*machine)(const std::string& arch, std::span<const std::string> settings);
  /// One layer: `inputs` has `machine` and `layer`, `options` are those of `map`.
  io::PointResult (*solve)(const io::Node& inputs, const io::RunOptions& options,
                           const mapper::Resources& resources);
};

}  // namespace nestor::app

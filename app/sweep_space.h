// The functions of a space that sweeps use: machines as self-contained JSON, and solving one point without
// files.
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
  /// Returns the machine with this name or file, with the settings applied, in the form that results embed.
  io::Result<io::Json> (*machine)(const std::string& arch, std::span<const std::string> settings);
  /// Solves one layer. `inputs` has `machine` and `layer`; `options` are those of `map`.
  io::PointResult (*solve)(const io::Node& inputs, const io::RunOptions& options,
                           const mapper::Resources& resources);
};

}  // namespace nestor::app

// Differences between two mappings of one layer, as a table for the HTML report.
#pragma once

#include <string>

#include "io/files.h"

namespace nestor::report::html {

/// A mapped layer of a result, and its name in the table.
struct DiffedLayer {
  std::string title;
  const io::Json& layer;  ///< layer with `mapping`, `evaluation`, `latency_cycles` and `energy_pj`
};

/// Returns a table with one row for each cost, axis, loop, memory and double buffer of the two mappings.
/// Loops that the two mappings have in common are in one row, and rows that differ are marked. Returns an
/// empty string if a layer has no mapping.
std::string mapping_diff(const DiffedLayer& first, const DiffedLayer& second);

}  // namespace nestor::report::html

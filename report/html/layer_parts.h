// Parts of the HTML report's section of one layer of a loop-nest space. Each function converts the JSON of a
// layer to markup, and returns an empty string if the layer has no such figures.
#pragma once

#include <string>

#include "io/files.h"

namespace nestor::report::html {

/// Returns the cycles by cause, or null for pim, where memories and the compute unit work in parallel.
io::Json causes_of(const io::Json& layer);

/// Returns bars of the cycles in which the compute unit and every port work, next to the latency, with a
/// table.
std::string busy_part(const io::Json& machine, const io::Json& layer);
/// Returns the name of the part that works for the largest number of cycles, or an empty string.
std::string busiest_part(const io::Json& machine, const io::Json& layer);

/// Returns the names of the resources that bind a layer: those of --explain, or else the largest cause of its
/// cycles.
std::string binds(const io::Json& machine, const io::Json& layer);
/// Returns the table of --explain.
std::string resources_table(const io::Json& layer);

/// Returns a plot of the incumbents' objectives and bounds over time, with a table.
std::string convergence_part(const io::Json& layer);

/// Returns the energy of every part, and the leakage, as a bar and a table.
std::string energy_part(const io::Json& machine, const io::Json& layer);

/// Returns a chart of the timeline that read_reported() adds to a replayed layer, with a table of its lanes.
std::string timeline_part(const io::Json& layer);

}  // namespace nestor::report::html

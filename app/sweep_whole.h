// Points of sweeps that are a single run of a verb: compiling a network for a chip, estimating or mapping a
// kernel on a compute-near-memory system, or scheduling a netlist. Layers on CIM and PIM machines are
// separate points (sweep_space.h).
#pragma once

#include <atomic>

#include "app/space.h"
#include "io/store/store.h"

namespace nestor::app {

// Keys of the inputs of such a point, in addition to point_machine.
inline constexpr char whole_input[] = "input";
inline constexpr char whole_settings[] = "set";  ///< settings of the machine, in addition to its file

/// Describes a file that a point depends on: a name that workers in any folder can find, and its digest. The
/// digest of a built-in name is empty.
io::Result<io::Json> describe_whole(const std::string& name, bool is_machine, Spaces spaces);

/// Runs the verb as the command line does, with one thread and --no-times. A file that has changed since the
/// plan was made is an error.
io::PointResult solve_whole(io::Verb verb, const io::Node& inputs, io::RunOptions options,
                            const std::atomic<bool>& stop, Spaces spaces);

}  // namespace nestor::app

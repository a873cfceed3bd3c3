// Points of sweeps that are one run of a verb: a network compiled to a chip, a kernel estimated or mapped
// near memory, a netlist scheduled. (Layers on CIM and PIM machines are points of their own, sweep_space.h.)
#pragma once

#include <atomic>

#include "app/space.h"
#include "io/store/store.h"

namespace nestor::app {

// Keys of such a point's inputs, beside point_machine.
inline constexpr char whole_input[] = "input";
inline constexpr char whole_settings[] = "set";  ///< of the machine, beside its file

/// A file that a point depends on: its name as workers in any folder find it, and its digest; no digest of a
/// name that is built in.
io::Result<io::Json> describe_whole(const std::string& name, bool is_machine, Spaces spaces);

/// Runs the verb as the command line does. A file that has changed since is an error.
io::PointResult solve_whole(io::Verb verb, const io::Node& inputs, io::RunOptions options,
                            const std::atomic<bool>& stop, Spaces spaces);

}  // namespace nestor::app

// Points of sweeps that are one run of a verb: a network compiled to a chip, a kernel estimated or mapped
// near memory, a netlist scheduled. (Layers on CIM and PIM machines are points of their own, sweep_space.h.)
#pragma once

#include <atomic>

#include "app/space.h"
#include "io/plan_file.h"
#include "io/store/store.h"

namespace nestor::app {

/// What such a point depends on, beside its options: the input, and the machine with what is set of it, each
/// with the digest of its file. `machine` is null for a verb that has none.
io::Result<io::Json> whole_inputs(const std::string& input, const io::SweptMachine* machine, Spaces spaces);

/// Runs the verb as the command line does. A file that has changed since is an error.
io::PointResult solve_whole(io::Verb verb, const io::Node& inputs, io::RunOptions options,
                            const std::atomic<bool>& stop, Spaces spaces);

}  // namespace nestor::app

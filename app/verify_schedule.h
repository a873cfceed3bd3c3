// nestor verify SCHEDULE --netlist FILE: the schedule's half of the verb.
#pragma once

#include "app/verbs.h"
#include "model/simd/tech_map.h"

namespace nestor::app {

/// Of --remap.
simd::MapPolicy map_policy(const io::RunOptions& options);
/// Is the input a schedule, by its first word?
bool names_schedule(const io::RunOptions& options);
io::Result<Outcome> verify_schedule(const io::RunOptions& options);

}  // namespace nestor::app

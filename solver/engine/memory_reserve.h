// Memory held back for the end of a run: when the system has no more, the reserve is given back, every run
// stops as at a limit on memory, and what was found by then is written with what the reserve leaves.
#pragma once

namespace nestor {

/// From here on, the first allocation that fails gives the reserve back and is tried again; one that fails
/// after it throws as usual. For programs: a library leaves the handler of its process alone.
void keep_memory_reserve();

/// Whether the reserve is gone. Cheap; from any thread.
bool memory_ran_out();

}  // namespace nestor

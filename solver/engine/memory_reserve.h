// Memory reserve for the end of a run. When the system runs out of memory, the reserve is freed and every run
// stops as at a memory limit. The freed memory lets the program write the results found so far.
#pragma once

namespace nestor {

/// After this call, the first allocation that fails frees the reserve and is retried; later failures throw as
/// usual. Only programs call it, because a library must not change the new handler of its process.
void keep_memory_reserve();

/// True if the reserve has been freed. Cheap; callable from any thread.
bool memory_ran_out();

}  // namespace nestor

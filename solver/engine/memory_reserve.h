// Memory reserve for the end of a run. When the system runs out of memory, the reserve is freed, and every
// run stops as it does at a memory limit. The freed memory allows the program to write the results found so
// far.
#pragma once

namespace nestor {

/// Sets up the reserve. The first allocation that fails afterwards frees the reserve and is retried; later
/// failures throw as usual. Only programs call this function, because a library must not replace the
/// process's new handler.
void keep_memory_reserve();

/// True if the reserve has been freed. Cheap; callable from any thread.
bool memory_ran_out();

}  // namespace nestor

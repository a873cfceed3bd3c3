// nestor estimate: how long a kernel takes on a compute-near-memory system.
#include "app/cnm/cnm.h"
#include "app/console.h"
#include "io/cnm/system_file.h"

namespace nestor::app::cnm_space {

io::Result<cnm::System> read_system(const io::RunOptions& options) {
  if (options.arch.empty())
    return io::usage_error("--arch is missing: expected a compute-near-memory system");
  return io::read_cnm_system(options.arch, options.settings);
}

io::Result<Outcome> estimate(const io::RunOptions& options) {
  const auto system = read_system(options);
  if (!system) return system.error();
  if (!options.table.empty()) return estimate_table(options, *system);
  return io::usage_error("no kernel given: expected a file, or --table");
}

}  // namespace nestor::app::cnm_space

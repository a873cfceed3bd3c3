// Benchmark of the first mapping, which is found by priorities (docs/models/cnm.md, "Map"): its time relative
// to the proved optimum, and the numbers of expanded nodes and of estimates, each with and without this first
// mapping. All kernels use i32 and the system `upmem`.
//   cnm_first
#include <fmt/format.h>

#include "bench/cnm_kernels.h"
#include "io/cnm/system_file.h"

namespace nestor::bench {
namespace {

int run() {
  const auto system = io::read_cnm_system("upmem", {});
  if (!system) return fmt::print(stderr, "{}\n", system.error().to_string()), 1;
  const auto product = [](Int m, Int n, Int k) {
    return cnm::matrix_product(n == 1 ? "mv" : "mm", m, n, k, cnm::Type::i32);
  };
  const std::vector<cnm::Kernel> kernels = {
      vector_sum(1'000'000),    vector_sum(Int{1} << 26), product(512, 1, 1152),   product(1000, 1, 4096),
      product(8192, 1, 8192),   product(768, 128, 768),   product(3072, 128, 768), product(512, 512, 512),
      product(8192, 512, 8192), product(4096, 1, 25'088)};
  fmt::print("{:<18} {:>13} {:>12} {:>12} {:>7} {:>9} {:>9} {:>9} {:>9}\n", "kernel", "after 1, ms",
             "first, ms", "best, ms", "ratio", "expanded", "without", "estimates", "without");
  for (const auto& kernel : kernels) {
    cnm::MapRequest request;
    request.threads = 1;
    const auto with = cnm::map_kernel(kernel, *system, no_library, request);
    request.first_by_priorities = false;
    const auto without = cnm::map_kernel(kernel, *system, no_library, request);
    request.work_limit = 1;  // result of a search that stops immediately, without the first mapping
    const auto at_once = cnm::map_kernel(kernel, *system, no_library, request);
    fmt::print("{:<18} {:>13.4f} {:>12.4f} {:>12.4f} {:>7.3f} {:>9} {:>9} {:>9} {:>9}\n",
               fmt::format("{} {}", kernel.name, fmt::join(kernel.extents, "x")), at_once.time_ms,
               with.first_ms, with.time_ms, with.first_ms / with.time_ms, with.work, without.work,
               with.estimates, without.estimates);
    if (with.mapping != without.mapping) return fmt::print(stderr, "another best\n"), 1;
  }
  return 0;
}

}  // namespace
}  // namespace nestor::bench

int main() { return nestor::bench::run(); }

// Comparison of CoMoNM's published results with the proved optimum (docs/models/cnm.md has the table): two
// mappings of gemv (figure 8), and the best mappings with 16 tasklets per DPU (figure 15) and with fewer
// ranks (figure 16). All kernels use i32 and the system `upmem`.
//   cnm_figures
#include <fmt/format.h>

#include "bench/cnm_kernels.h"
#include "io/cnm/mapping_file.h"
#include "io/cnm/system_file.h"

namespace nestor::bench {
namespace {

using cnm::Kernel;
using cnm::Type;

void print_row(std::string_view figure, std::string_view what, double ms, const cnm::MapResult& best) {
  fmt::print("{:<8} {:<44} {:>12.4f} ms {:>12.4f} ms  {:>6.2f}  {}\n", figure, what, ms, best.time_ms,
             ms / best.time_ms, to_string(best.status));
}

// Prints the time of the best mapping on a smaller machine compared with that of the best mapping on the
// whole machine.
void print_smaller(std::string_view figure, std::string_view what, const Kernel& kernel,
                   const cnm::System& system, const std::string& setting) {
  const auto smaller = io::with_settings(system, std::span(&setting, 1));
  if (!smaller) return;
  const auto part = cnm::map_kernel(kernel, *smaller, no_library, {});
  if (part.time_ms <= 0) return fmt::print("{:<8} {:<44} {:>15}\n", figure, what, "does not fit");
  print_row(figure, what, part.time_ms, cnm::map_kernel(kernel, system, no_library, {}));
}

int run() {
  const auto system = io::read_cnm_system("upmem", {});
  if (!system) return fmt::print(stderr, "{}\n", system.error().to_string()), 1;
  fmt::print("{:<8} {:<44} {:>15} {:>15}  {:>6}  {}\n", "figure", "mapping", "its time", "best", "ratio",
             "proof of the best");
  const Kernel gemv = cnm::matrix_product("gemv", 512, 1, 1152, Type::i32);
  constexpr std::array<std::pair<std::string_view, std::string_view>, 2> figure_8 = {
      {{"8a", "M1: {(2,9),(64,1),(2,4),(2,32)}"},
       {"8b",
        "M2: {(4,1),(8,8),(1,4),(16,20)}, M3: {(1,4),(2,4),(8,1),(12,32)}, "
        "M1: {(4,4),(5,5),(1,1),(16,16)}, M4: {(1,1),(5,16),(16,1),(4,12)}"}}};
  for (const auto& [figure, text] : figure_8) {
    auto mapping = io::parse_cnm_mapping(text, "figure");
    if (!mapping) return fmt::print(stderr, "{}\n", mapping.error().to_string()), 1;
    // The paper's figure does not show blocks, so the largest blocks are used by default. Figure 8b needs 80
    // DPUs per rank.
    auto machine = *system;
    auto estimate = cnm::estimate_kernel(gemv, *mapping, machine, no_library);
    const bool wider = !estimate.refusal.empty();
    if (wider) {
      machine.levels[1].size = 80;
      estimate = cnm::estimate_kernel(gemv, *mapping, machine, no_library);
    }
    const auto what = fmt::format("gemv 512 x 1152, {} map{}{}", mapping->size(),
                                  mapping->size() > 1 ? "s" : "", wider ? ", 80 DPUs a rank" : "");
    if (!estimate.refusal.empty()) return fmt::print(stderr, "{}\n", estimate.refusal), 1;
    print_row(figure, what, estimate.time_ms, cnm::map_kernel(gemv, machine, no_library, {}));
  }
  const Int million = Int{1} << 20;
  const Kernel sum = vector_sum(Int{1} << 32);
  const Kernel product = cnm::matrix_product("mv", 1 << 15, 1, 1 << 14, Type::i32);
  const Kernel matrices = cnm::matrix_product("mm", 1 << 10, 1 << 10, 1 << 10, Type::i32);
  print_smaller("15", "va 2^32, 16 tasklets", sum, *system, "levels.tasklet=16");
  print_smaller("15", "mv 2^15 x 2^14, 16 tasklets", product, *system, "levels.tasklet=16");
  print_smaller("15", "mm 2^10 x 2^10 x 2^10, 16 tasklets", matrices, *system, "levels.tasklet=16");
  for (const Int ranks : {8, 16}) {
    print_smaller("16", fmt::format("va 2^26, {} ranks", ranks), vector_sum(64 * million), *system,
                  fmt::format("levels.rank={}", ranks));
    print_smaller("16", fmt::format("mv 2^13 x 2^13, {} ranks", ranks),
                  cnm::matrix_product("mv", 1 << 13, 1, 1 << 13, Type::i32), *system,
                  fmt::format("levels.rank={}", ranks));
  }
  return 0;
}

}  // namespace
}  // namespace nestor::bench

int main() { return nestor::bench::run(); }

// Benchmark of the ranking of whole mapping spaces on `upmem` with i32. It prints the numbers of mappings, of
// forms (combinations of block, order and the work of a tasklet), and of distinct values of the work of a
// tasklet. It also prints a digest of the ranked list (the cost, cut and form of every mapping), and the
// mappings ranked per second of wall time and of processor time.
//   cnm_ranking [THREADS] [KERNEL...]    a kernel: va:N, mv:MxK or mm:MxNxK
#include <fmt/format.h>

#include <chrono>
#include <ctime>

#include "bench/cnm_kernels.h"
#include "bench/inputs.h"
#include "io/cnm/system_file.h"
#include "model/cnm/search/ranking.h"

namespace nestor::bench {
namespace {

using cnm::Kernel;
using cnm::Type;

std::optional<Kernel> kernel_named(std::string_view name) {
  std::array<Int, 3> sizes{};
  std::size_t count = 0;
  const auto colon = name.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  for (std::size_t at = colon; at != std::string_view::npos && count < sizes.size();) {
    const auto next = name.find('x', at + 1);
    const auto digits = name.substr(at + 1, next - at - 1);
    sizes[count++] = bench::number_of<Int>(digits);
    at = next;
  }
  const auto kind = name.substr(0, colon);
  if (kind == "va" && count == 1) return vector_sum(sizes[0]);
  if (kind == "mv" && count == 2) return cnm::matrix_product("mv", sizes[0], 1, sizes[1], Type::i32);
  if (kind == "mm" && count == 3) return cnm::matrix_product("mm", sizes[0], sizes[1], sizes[2], Type::i32);
  return std::nullopt;
}

std::uint64_t digest_of(const cnm::Ranking& ranking) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  const auto put = [&hash](std::uint64_t word) { hash = (hash ^ word) * 0x100000001b3ULL; };
  for (std::size_t i = 0; i < ranking.size(); ++i) {
    put(static_cast<std::uint64_t>(ranking.cost_of(i)));
    put(ranking.cut_of(i));
    put(ranking.form_of(i));
  }
  return hash;
}

int run(int count, char** words) {
  const auto system = io::read_cnm_system("upmem", {});
  if (!system) return fmt::print(stderr, "{}\n", system.error().to_string()), 1;
  const int threads = count > 1 ? bench::number_of<int>(words[1]) : 0;
  std::vector<std::string_view> names(words + std::min(count, 2), words + count);
  if (names.empty()) names = {"va:67108864", "mv:1024x1024", "mv:8192x8192", "mm:64x64x64", "mm:256x256x256"};
  const auto executor = make_executor(ExecutorKind::std_thread, threads);
  fmt::print("{:<18} {:>11} {:>9} {:>7} {:>16} {:>8} {:>8} {:>12} {:>12}\n", "kernel", "members", "forms",
             "works", "digest", "wall s", "CPU s", "a second", "a CPU s");
  for (const auto name : names) {
    const auto kernel = kernel_named(name);
    if (!kernel) return fmt::print(stderr, "{}: expected va:N, mv:MxK or mm:MxNxK\n", name), 1;
    const auto begin = std::chrono::steady_clock::now();
    const std::clock_t cpu = std::clock();
    const cnm::Ranking ranking(*kernel, *system, no_library, *executor, std::size_t{1} << 28);
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
    const double spent = static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC;
    const auto members = static_cast<double>(ranking.size());
    fmt::print("{:<18} {:>11} {:>9} {:>7} {:016x} {:>8.2f} {:>8.2f} {:>12.0f} {:>12.0f}\n", name,
               ranking.size(), ranking.form_count(), ranking.work_count(), digest_of(ranking), wall.count(),
               spent, members / wall.count(), members / spent);
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace
}  // namespace nestor::bench

int main(int count, char** words) { return nestor::bench::run(count, words); }

// Benchmark of the speed and accuracy of three methods that count the row activations of tiles of real
// networks: the exact count, a trace of every element, and the hybrid formulas.
//
//   pim_rows [CASES] [MOST_ACCESSES]
//
// For one and for four banks, it prints the mean number of accesses over all cases, the estimated mean time
// to trace them, the mean time of a count that is new to the counter, and the largest time of a repeated
// count. Cases of at most MOST_ACCESSES accesses are traced. For these, it prints the mean number of
// accesses, the mean times of a trace and of a count, and the number of differing results. It also prints the
// errors of the hybrid formulas over all cases. All times are processor times.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <string>
#include <vector>

#include "base/random.h"
#include "model/pim/rows/hybrid_rows.h"
#include "model/pim/rows/row_counter.h"
#include "sim/pim/row_trace.h"
#include "support/pim_network_walks.h"

namespace {

using namespace nestor;

double seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Prints the figures for one number of banks. The time to trace all cases is estimated from the time per
// access in the traced cases.
void measure(std::uint64_t cases, Int most_accesses, Int banks) {
  const std::vector<LayerShape> layers = tests::network_layers();
  Random random(static_cast<std::uint64_t>(banks));
  std::vector<tests::NetworkWalk> walks;
  double all_accesses = 0;
  for (std::uint64_t i = 0; i < cases; ++i) {
    walks.push_back(tests::random_network_walk(random, layers[random.below(layers.size())], banks));
    all_accesses += static_cast<double>(walks.back().accesses);
  }
  // The traced cases come first.
  const auto untraced = std::stable_partition(
      walks.begin(), walks.end(), [&](const auto& made) { return made.accesses <= most_accesses; });
  pim::RowCounter counter;
  std::vector<Int> counts;
  double begin = seconds();
  for (auto walk = walks.begin(); walk != untraced; ++walk)
    counts.push_back(counter.count(walk->walk, walk->layout));
  const double counting_traced = seconds() - begin;
  for (auto walk = untraced; walk != walks.end(); ++walk)
    counts.push_back(counter.count(walk->walk, walk->layout));
  const double counting = seconds() - begin;

  double slowest = 0;
  double tracing = 0;
  double accesses = 0;
  std::uint64_t traced = 0;
  std::uint64_t wrong = 0;
  std::vector<double> errors;
  for (std::size_t i = 0; i < walks.size(); ++i) {
    const auto& made = walks[i];
    const Int hybrid = pim::hybrid_rows(made.layer, made.walk, made.layout, 1);
    errors.push_back(std::abs(static_cast<double>(hybrid - counts[i])) / static_cast<double>(counts[i]));
    begin = seconds();
    wrong += static_cast<std::uint64_t>(counter.count(made.walk, made.layout) != counts[i]);
    slowest = std::max(slowest, seconds() - begin);
    if (made.accesses > most_accesses) continue;
    begin = seconds();
    const auto trace = sim::pim::trace_rows(made.walk, made.layout);
    tracing += seconds() - begin;
    accesses += static_cast<double>(trace.accesses);
    ++traced;
    wrong += static_cast<std::uint64_t>(trace.activations != counts[i]);
  }
  std::sort(errors.begin(), errors.end());
  const auto quantile = [&](double share) {
    return 100 * errors[static_cast<std::size_t>(share * static_cast<double>(errors.size() - 1))];
  };
  const auto all = static_cast<double>(cases);
  const auto some = static_cast<double>(std::max<std::uint64_t>(traced, 1));
  fmt::print(
      "{} bank{}: {} cases, mean {:.0f} accesses, a trace of which takes {:.3g} ms; count mean {:.2f} us, "
      "slowest {:.0f} us\n"
      "  {} traced, mean {:.0f} accesses in {:.3f} ms; count mean {:.2f} us; {} differ\n"
      "  hybrid formulas off by: median {:.1f} %, 75 % of cases {:.1f} %, 90 % {:.1f} %, within 5 %: {:.1f} "
      "% of cases\n",
      banks, banks == 1 ? "" : "s", cases, all_accesses / all,
      1e3 * tracing / std::max(accesses, 1.0) * all_accesses / all, 1e6 * counting / all, 1e6 * slowest,
      traced, accesses / some, 1e3 * tracing / some, 1e6 * counting_traced / some, wrong, quantile(0.5),
      quantile(0.75), quantile(0.9),
      100.0 * static_cast<double>(std::upper_bound(errors.begin(), errors.end(), 0.05) - errors.begin()) /
          static_cast<double>(errors.size()));
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t cases = argc > 1 ? std::stoull(argv[1]) : 5000;
  const nestor::Int most = argc > 2 ? std::stoll(argv[2]) : 3000000;
  for (const nestor::Int banks : {1, 4}) measure(cases, most, banks);
  return 0;
}

// Row activations of tiles of real networks: counted exactly, traced element by element, and by the hybrid
// formulas.
//
//   pim_rows [CASES] [MOST_ACCESSES]
//
// Prints for one and for four banks: mean accesses of a trace and its mean time, mean and largest time of a
// count (cold: every case is new to the counter), whether all agree, and how far the hybrid formulas are off.
// Processor time.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <string>
#include <vector>

#include "base/random.h"
#include "io/layer_file.h"
#include "model/loopnest/factor_set.h"
#include "model/pim/rows/hybrid_rows.h"
#include "model/pim/rows/row_counter.h"
#include "sim/pim/row_trace.h"

namespace {

using namespace nestor;

struct Case {
  LayerShape layer;
  pim::RowWalk walk;
  pim::Layout layout;
  Int accesses = 0;
};

double seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

Int divisor(Random& random, Int value) {
  std::vector<Int> divisors;
  for (Int d = 1; d <= value; ++d)
    if (value % d == 0) divisors.push_back(d);
  return divisors[random.below(divisors.size())];
}

// A tile of a layer with loops around it in random order, rows of 1 KiB.
Case random_case(Random& random, const LayerShape& layer, Int banks) {
  Case made{.layer = layer, .walk = {}, .layout = {}};
  const Operand operand = all_operands[random.below(operand_count)];
  Extents inside;
  std::vector<std::pair<Dim, Int>> loops;
  for (const Dim dim : all_dims) {
    inside[index_of(dim)] = divisor(random, layer.bound(dim));
    const FactorSet left = prime_factors(layer.bound(dim) / inside[index_of(dim)]);
    for (const auto& factor : left.factors)
      for (int i = 0; i < factor.count; ++i) loops.emplace_back(dim, factor.value);
  }
  for (std::size_t i = loops.size(); i > 1; --i) std::swap(loops[i - 1], loops[random.below(i)]);
  pim::RowWalk& walk = made.walk;
  walk.operand = operand;
  walk.tile = pim::tile_box(layer, operand, inside);
  walk.row_elements = 1024;
  walk.banks = banks;
  made.accesses = operand == Operand::O ? 2 : 1;
  for (const Int side : walk.tile) made.accesses *= side;
  std::vector<pim::VisitLoop> innermost_first;
  for (const auto& [dim, count] : loops) {
    innermost_first.push_back(pim::visit_loop(layer, operand, dim, count, inside[index_of(dim)]));
    inside[index_of(dim)] *= count;
    made.accesses *= count;
  }
  // A loop that only repeats visits inside all others belongs to the tile: canonical form.
  while (!innermost_first.empty() && innermost_first.front().coordinate == pim::VisitLoop::repeats) {
    made.accesses /= innermost_first.front().count;
    innermost_first.erase(innermost_first.begin());
  }
  for (std::size_t i = innermost_first.size(); i-- > 0;) walk.loops.push_back(innermost_first[i]);
  walk.size = pim::tile_box(layer, operand, layer.bounds);
  made.layout.kind = static_cast<pim::LayoutKind>(random.below(pim::layout_kind_count));
  if (operand == Operand::W && made.layout.kind == pim::LayoutKind::hwc)
    made.layout.kind = pim::LayoutKind::sequential;
  if (made.layout.kind == pim::LayoutKind::row_aligned && operand != Operand::W) {
    made.layout.block_height = divisor(random, walk.size[2]);
    made.layout.block_width = divisor(random, walk.size[3]);
  }
  return made;
}

void measure(std::uint64_t cases, Int most_accesses, Int banks) {
  std::vector<LayerShape> layers;
  for (const char* name : {"resnet50", "vgg16", "mobilenetv2", "bert-base-128"}) {
    const auto network = io::read_layers(name).value();
    for (const Layer& layer : network.layers) layers.push_back(layer.shape);
  }
  Random random(static_cast<std::uint64_t>(banks));
  pim::RowCounter counter;
  double counting = 0;
  double slowest = 0;
  double tracing = 0;
  double accesses = 0;
  std::uint64_t traced = 0;
  std::uint64_t wrong = 0;
  std::vector<double> errors;
  for (std::uint64_t i = 0; i < cases; ++i) {
    const Case made = random_case(random, layers[random.below(layers.size())], banks);
    double begin = seconds();
    const Int counted = counter.count(made.walk, made.layout);
    const double taken = seconds() - begin;
    counting += taken;
    slowest = std::max(slowest, taken);
    const Int hybrid = pim::hybrid_rows(made.layer, made.walk, made.layout, 1);
    errors.push_back(std::abs(static_cast<double>(hybrid - counted)) / static_cast<double>(counted));
    if (made.accesses > most_accesses) continue;
    begin = seconds();
    const auto trace = sim::pim::trace_rows(made.walk, made.layout);
    tracing += seconds() - begin;
    accesses += static_cast<double>(trace.accesses);
    ++traced;
    wrong += static_cast<std::uint64_t>(trace.activations != counted);
  }
  std::sort(errors.begin(), errors.end());
  const auto quantile = [&](double share) {
    return 100 * errors[static_cast<std::size_t>(share * static_cast<double>(errors.size() - 1))];
  };
  fmt::print(
      "{} bank{}: {} cases, count mean {:.2f} us, slowest {:.1f} us; {} traced, mean {:.0f} accesses in "
      "{:.3f} ms, {} differ\n"
      "  hybrid formulas off by: median {:.1f} %, 75 % of cases {:.1f} %, 90 % {:.1f} %, within 5 %: {:.1f} "
      "% of cases\n",
      banks, banks == 1 ? "" : "s", cases, 1e6 * counting / static_cast<double>(cases), 1e6 * slowest, traced,
      accesses / static_cast<double>(std::max<std::uint64_t>(traced, 1)),
      1e3 * tracing / static_cast<double>(std::max<std::uint64_t>(traced, 1)), wrong, quantile(0.5),
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

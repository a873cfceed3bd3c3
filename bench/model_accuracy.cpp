// How close the two latency models come to the replay: random legal mappings of ResNet-18's layers on two
// machines, and random mappings on random small machines, which are harsher. Prints mean, median, 95th
// percentile and worst error of `miredo` and `stall`, relative to the replayed cycles, and the paper's claim
// (MIREDO, section V-B: 95.5 % mean accuracy) beside them.
//
//     model_accuracy [mappings per machine, default 1000] [seed]
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "io/architecture_file.h"
#include "io/layer_file.h"
#include "io/table.h"
#include "model/cim/evaluate.h"
#include "sim/replay.h"
#include "support/random_cases.h"

namespace nestor {
namespace {

constexpr double paper_accuracy = 0.955;

struct Errors {
  std::vector<double> all;
  Int optimistic = 0;  ///< the model says less than the replay takes

  void add(Int model, Int replayed) {
    all.push_back(std::fabs(static_cast<double>(model - replayed)) / static_cast<double>(replayed));
    if (model < replayed) ++optimistic;
  }
  double mean() const {
    return std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size());
  }
  double quantile(double share) {
    std::sort(all.begin(), all.end());
    return all[static_cast<std::size_t>(share * static_cast<double>(all.size() - 1))];
  }
};

std::string percent(double share) { return fmt::format("{:.3f} %", 100 * share); }

void add_rows(io::Table& table, const std::string& machine, const std::string& set, const std::string& model,
              Errors errors) {
  if (errors.all.empty()) return;
  table.add_row({machine, set, model, std::to_string(errors.all.size()), percent(errors.mean()),
                 percent(errors.quantile(0.5)), percent(errors.quantile(0.95)), percent(errors.quantile(1)),
                 percent(static_cast<double>(errors.optimistic) / static_cast<double>(errors.all.size())),
                 percent(1 - errors.mean())});
}

int run(std::size_t count, std::uint64_t seed) {
  io::Table table({{"machine", io::Align::left},
                   {"mappings", io::Align::left},
                   {"model", io::Align::left},
                   {"count"},
                   {"mean error"},
                   {"median"},
                   {"95th"},
                   {"worst"},
                   {"too low"},
                   {"mean accuracy"}});
  const auto network = io::read_layers("resnet18");
  if (!network) return std::puts(network.error().to_string().c_str()), 3;
  for (const char* name : {"miredo-default", "miredo-table4"}) {
    const auto architecture = io::read_architecture(name);
    if (!architecture) return std::puts(architecture.error().to_string().c_str()), 3;
    Errors miredo;
    Errors stall;
    const auto& layers = network->layers;
    for (std::size_t i = 0; i < layers.size(); ++i) {
      const std::size_t share = count * (i + 1) / layers.size() - count * i / layers.size();
      for (const Mapping& mapping :
           testing::random_mappings(layers[i].shape, *architecture, share, seed + i)) {
        const auto replayed = sim::replay(layers[i].shape, architecture->machine, mapping);
        if (replayed.status != sim::ReplayStatus::complete) continue;
        const auto evaluation = cim::evaluate(layers[i].shape, architecture->machine, mapping);
        miredo.add(evaluation.miredo_cycles, replayed.cycles);
        stall.add(evaluation.stall_cycles, replayed.cycles);
      }
    }
    add_rows(table, name, "random", "miredo", miredo);
    add_rows(table, name, "random", "stall", stall);
  }
  Errors miredo;
  Errors stall;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto random = testing::random_case(seed + i);
    const Architecture& machine = random.architecture.machine;
    const auto replayed = sim::replay(random.layer, machine, random.mapping);
    const auto evaluation = cim::evaluate(random.layer, machine, random.mapping);
    miredo.add(evaluation.miredo_cycles, replayed.cycles);
    stall.add(evaluation.stall_cycles, replayed.cycles);
  }
  add_rows(table, "random", "random", "miredo", miredo);
  add_rows(table, "random", "random", "stall", stall);
  std::fputs(table.to_string().c_str(), stdout);
  fmt::print("The paper claims {} mean accuracy of its model against its own simulator.\n",
             percent(paper_accuracy));
  return 0;
}

}  // namespace
}  // namespace nestor

int main(int argc, char** argv) {
  const std::size_t count = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1000;
  const std::uint64_t seed = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 1;
  return nestor::run(count, seed);
}

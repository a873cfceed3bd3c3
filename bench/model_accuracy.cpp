// Benchmark of the accuracy of the two latency models against the replay. The mappings are random legal
// mappings, baselines and proved optima of ResNet-18's layers on two machines, and harder cases with random
// mappings on random small machines. It prints the mean, median, 95th percentile and worst error of `miredo`
// and `stall`, relative to the replayed cycles, and the paper's claim (docs/models/cim.md, section 11). Then
// it prints the replayed time of the network for each mapping method, since a model is used to choose among
// methods.
//
//     model_accuracy [mappings per machine, default 1000] [seed]
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "heuristics/cim/baselines/sampled.h"
#include "heuristics/cim/baselines/stationary.h"
#include "inputs.h"
#include "io/cim/architecture_file.h"
#include "io/layer_file.h"
#include "mapper/cim/map_layer.h"
#include "mapper/loopnest/map_network.h"
#include "model/cim/evaluate.h"
#include "model/workload/unique_shapes.h"
#include "report/tables/table.h"
#include "sim/cim/replay.h"
#include "support/random_cases.h"

namespace nestor {
namespace {

constexpr double paper_accuracy = 0.955;

struct Errors {
  std::vector<double> all;
  Int optimistic = 0;  ///< number of mappings for which the model predicts too few cycles

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

/// Errors of both models on one set of mappings.
struct Comparison {
  Errors miredo;
  Errors stall;

  /// Compares the models on one mapping. Returns the replayed cycles, or 0 if the replay is incomplete.
  Int add(const LayerShape& layer, const Architecture& machine, const Mapping& mapping) {
    const auto replayed = sim::cim::replay(layer, machine, mapping);
    if (replayed.status != sim::cim::ReplayStatus::complete) return 0;
    const auto evaluation = cim::evaluate(layer, machine, mapping);
    miredo.add(evaluation.miredo_cycles, replayed.cycles);
    stall.add(evaluation.stall_cycles, replayed.cycles);
    return replayed.cycles;
  }
};

class Report {
 public:
  void add(const std::string& machine, const std::string& set, Comparison comparison) {
    if (comparison.stall.all.empty()) return;
    add_row(machine, set, "miredo", comparison.miredo);
    add_row(machine, set, "stall", comparison.stall);
  }
  void add_network(const std::string& machine, const std::string& mapper, Int cycles, Int missing) {
    network_.add_row(
        {machine, mapper, std::to_string(cycles), missing == 0 ? "" : fmt::format("{} missing", missing)});
  }
  void print() const {
    fmt::print("{}The paper claims {} mean accuracy of its model against its own simulator.\n\n{}",
               models_.to_string(), percent(paper_accuracy), network_.to_string());
  }

 private:
  void add_row(const std::string& machine, const std::string& set, const std::string& model, Errors& errors) {
    const auto count = static_cast<double>(errors.all.size());
    models_.add_row({machine, set, model, std::to_string(errors.all.size()), percent(errors.mean()),
                     percent(errors.quantile(0.5)), percent(errors.quantile(0.95)),
                     percent(errors.quantile(1)), percent(static_cast<double>(errors.optimistic) / count),
                     percent(1 - errors.mean())});
  }

  io::Table models_{{{"machine", io::Align::left},
                     {"mappings", io::Align::left},
                     {"model", io::Align::left},
                     {"count"},
                     {"mean error"},
                     {"median"},
                     {"95th"},
                     {"worst"},
                     {"too low"},
                     {"mean accuracy"}}};
  io::Table network_{{{"machine", io::Align::left},
                      {"ResNet-18 mapped by", io::Align::left},
                      {"replayed cycles"},
                      {"layers", io::Align::left}}};
};

/// Study of ResNet-18 on one machine: each shape is mapped once per mapper, and weighted by its number of
/// occurrences in the totals.
class NetworkStudy {
 public:
  NetworkStudy(const Network& network, const NamedArchitecture& architecture, Report& report)
      : layers_(network.layers),
        shapes_(*unique_shapes(network.layers)),
        named_(architecture),
        report_(report) {}

  void random(std::size_t count, std::uint64_t seed) {
    Comparison comparison;
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      const std::size_t share = count * (i + 1) / layers_.size() - count * i / layers_.size();
      for (const Mapping& mapping : tests::random_mappings(layers_[i].shape, named_, share, seed + i))
        comparison.add(layers_[i].shape, named_.machine, mapping);
    }
    report_.add(named_.name, "random", comparison);
  }

  void baselines(std::uint64_t seed) {
    using cim::LatencyModel;
    Comparison all;
    const auto study = [&](const std::string& name, auto&& map_shape) {
      total(name, all, [&](std::size_t s) -> std::optional<Mapping> {
        const auto placed = map_shape(shape(s));
        if (!placed) return std::nullopt;
        return placed->mapping;
      });
    };
    const Architecture& machine = named_.machine;
    constexpr std::array<const char*, operand_count> names = {"input stationary", "weight stationary",
                                                              "output stationary"};
    for (const Operand stays : all_operands)
      study(names[index_of(stays)], [&](const LayerShape& layer) {
        return nestor::baselines::stationary(layer, machine, stays, LatencyModel::stall);
      });
    study("sampling, 300 evaluations", [&](const LayerShape& layer) {
      return nestor::baselines::sampled(layer, machine, nestor::baselines::cycles_of(LatencyModel::stall),
                                        {.seed = seed, .evaluations = 300});
    });
    report_.add(named_.name, "baselines", all);
  }

  void optima() {
    const auto executor = make_executor(ExecutorKind::tbb, 0);
    MemoryBudget memory(std::size_t{4} << 30U);
    for (const auto model : {cim::LatencyModel::miredo, cim::LatencyModel::stall}) {
      mapper::CimRequest request;
      request.objective.kind = cim::ObjectiveKind::latency;
      request.objective.latency_model = model;
      request.layer_seconds = 60;
      const auto maps =
          mapper::map_network(layers_, shapes_.shapes, named_.machine, request, {*executor, memory});
      const std::string name = model == cim::LatencyModel::stall ? "optima of stall" : "optima of miredo";
      Comparison comparison;
      total(name, comparison, [&](std::size_t s) -> std::optional<Mapping> {
        if (maps[s].best.empty()) return std::nullopt;
        return maps[s].best.front().mapping;
      });
      report_.add(named_.name, name, comparison);
    }
  }

 private:
  const LayerShape& shape(std::size_t s) const { return layers_[shapes_.shapes[s].first].shape; }

  template <typename MapShape>
  void total(const std::string& mapper, Comparison& comparison, const MapShape& map_shape) {
    Int cycles = 0;
    Int missing = 0;
    for (std::size_t s = 0; s < shapes_.shapes.size(); ++s) {
      const std::optional<Mapping> mapping = map_shape(s);
      if (!mapping)
        ++missing;
      else
        cycles += shapes_.shapes[s].repeat * comparison.add(shape(s), named_.machine, *mapping);
    }
    report_.add_network(named_.name, mapper, cycles, missing);
  }

  const std::vector<Layer>& layers_;
  const UniqueShapes shapes_;
  const NamedArchitecture& named_;
  Report& report_;
};

int run(std::size_t count, std::uint64_t seed) {
  Report report;
  const auto network = io::read_layers("resnet18");
  if (!network) return std::puts(network.error().to_string().c_str()), 3;
  for (const char* name : {"miredo-default", "miredo-table4"}) {
    const auto architecture = io::read_architecture(name);
    if (!architecture) return std::puts(architecture.error().to_string().c_str()), 3;
    NetworkStudy study(*network, *architecture, report);
    study.random(count, seed);
    study.baselines(seed);
    study.optima();
  }
  Comparison harsh;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto random = tests::random_case(seed + i);
    harsh.add(random.layer, random.architecture.machine, random.mapping);
  }
  report.add("random", "random", harsh);
  report.print();
  return 0;
}

}  // namespace
}  // namespace nestor

int main(int argc, char** argv) {
  const std::size_t count = argc > 1 ? nestor::bench::number_of<std::size_t>(argv[1]) : 1000;
  const std::uint64_t seed = argc > 2 ? nestor::bench::number_of<std::uint64_t>(argv[2]) : 1;
  return nestor::run(count, seed);
}

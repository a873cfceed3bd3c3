// Example of a search space in one file, in the ten steps that ARCHITECTURE.md lists. Its machine has two
// memories. The inside part of a layer's loops works on tiles in a buffer; each iteration of the outside part
// fetches new tiles. The objective is the number of fetched bits.
#pragma once

#include "app/console.h"
#include "app/inputs.h"
#include "app/output.h"
#include "app/space.h"
#include "io/find_data.h"
#include "io/layer_file.h"
#include "model/loopnest/space/nest_space.h"
#include "model/loopnest/tiles.h"
#include "model/workload/named_machine.h"
#include "report/network_text.h"
#include "report/tables/table.h"
#include "solver/engine/engine.h"

namespace nestor::toy {

// Step 1, model/SPACE: the machine (a hierarchy; the toy has no compute unit), the decisions (here the inside
// factor of every bound), the cost and the legality rules.
struct ToyMachine : Hierarchy {
  Int buffer() const { return memories[1].capacity; }
};
using Inside = Extents;
inline ToyMachine make_machine(Int buffer_bits) {
  ToyMachine machine;
  machine.memories.push_back({.operands = OperandSet::of(Operand::I, Operand::W, Operand::O)});
  machine.memories.push_back({.operands = machine.memories[0].operands, .capacity = buffer_bits});
  return machine;
}
inline Int tile_bits(const LayerShape& layer, const Inside& inside) {
  Int bits = 0;
  for (const Operand x : all_operands) bits += elements(layer, x, inside) * layer.bits.of(x);
  return bits;
}
/// Returns the fetched bits; nullopt if the tiles do not fit the buffer or do not divide the layer's bounds.
inline std::optional<Int> evaluate(const LayerShape& layer, const ToyMachine& machine, const Inside& inside) {
  Int bits = tile_bits(layer, inside);
  if (bits > machine.buffer()) return std::nullopt;
  for (std::size_t d = 0; d < dim_count; ++d) {
    if (inside[d] < 1 || layer.bounds[d] % inside[d] != 0) return std::nullopt;
    bits *= layer.bounds[d] / inside[d];
  }
  return bits;
}

// Step 2, model/SPACE/search: the search problem, and the branch of the label search, which chooses the
// inside factor of one dimension after another. The bound assumes that undecided dimensions have the inside
// factor 1 and a single outside iteration, so it never exceeds the cost of a completion.
struct ToyProblem : NestProblem {
  ToyMachine machine;
};
inline ToyProblem make_problem(const LayerShape& layer, const ToyMachine& machine) {
  return {{.layer = layer, .factors = prime_factors(layer.bounds), .constraints = {}, .techniques = {}},
          machine};
}
inline OperandSetup make_setup(const ToyProblem& problem, const Lattices& lattices,
                               const SpatialChoice& choice, Operand operand) {
  return nestor::make_setup(problem, problem.machine, lattices, choice, operand, false);
}
class Branch {
 public:
  using Problem = ToyProblem;
  using Solution = Inside;
  using Builder = NoTables<ToyProblem>;
  using Tables = std::array<const Builder::Tables*, operand_count>;
  struct Label {
    std::array<LatticeNode, dim_count> node{};
    Inside inside = unit_extents;
    int decided = 0;
  };

  BranchSetup prepare(const ToyProblem& problem, const Lattices& lattices, const SpatialChoice&,
                      const Tables&, Arena&) {
    problem_ = &problem;
    lattices_ = &lattices;
    return bound({}) < no_cost ? BranchSetup::ready : BranchSetup::infeasible;
  }
  void use_tables(const Tables&) {}
  Label root() const { return {}; }
  double root_bound() const { return bound(root()); }
  int max_depth() const { return static_cast<int>(dim_count); }
  int depth(const Label& label) const { return label.decided; }
  std::uint64_t key(const Label& label) const {
    std::uint64_t key = 0;
    for (std::size_t d = 0; d < dim_count; ++d) key = key * (*lattices_)[d].size() + label.node[d];
    return key * (dim_count + 1) + static_cast<std::uint64_t>(label.decided);
  }
  bool dominates(const Label&, const Label&, double) const { return true; }  // equal keys imply equal factors
  double preference(const Label& label) const { return bound(label); }
  template <typename Emit>
  double expand(const Label& label, double from, double below, double cut, Emit emit) const {
    double beyond = no_cost;
    const auto d = static_cast<std::size_t>(label.decided);
    for (std::size_t node = 0; node < (*lattices_)[d].size(); ++node) {
      Label child = label;
      child.node[d] = static_cast<LatticeNode>(node);
      child.inside[d] = (*lattices_)[d].value(child.node[d]);
      ++child.decided;
      const double least = bound(child);
      const bool complete = child.decided == max_depth();
      if (least >= (complete ? cut : below))
        beyond = std::min(beyond, least);
      else if (complete || least >= from)
        emit(child, least);
    }
    return beyond;
  }
  template <typename Search>
  Inside solution(const Search& search) const {
    Inside inside = unit_extents;
    search.walk_back([&](const Label&, const Label& child) {
      if (child.decided == max_depth()) inside = child.inside;
    });
    return inside;
  }

 private:
  double bound(const Label& label) const {
    Int bits = tile_bits(problem_->layer, label.inside);
    if (bits > problem_->machine.buffer()) return no_cost;
    for (std::size_t d = 0; d < static_cast<std::size_t>(label.decided); ++d)
      bits *= problem_->layer.bounds[d] / label.inside[d];
    return static_cast<double>(bits);
  }

  const ToyProblem* problem_ = nullptr;
  const Lattices* lattices_ = nullptr;
};

// Step 3, model/SPACE/space: the interface to the engine. There are no axes, so there is one spatial choice.
using ToySpace = BranchSpace<Branch, HostStorage>;
inline ChoiceRules rules_of(const ToyProblem& problem) {
  const auto least = static_cast<double>(tile_bits(problem.layer, unit_extents));
  return {.bound = [least](Int) { return least; }};
}

// Step 4, sim/SPACE: a replay that executes the fetches one by one, without the model's cost formula.
inline std::optional<Int> replay(const LayerShape& layer, const ToyMachine&, const Inside& inside) {
  Int bits = 0;
  for (Extents at{};;) {
    for (const Operand x : all_operands) bits += elements(layer, x, inside) * layer.bits.of(x);
    std::size_t d = 0;
    while (d < dim_count && (at[d] += inside[d]) >= layer.bounds[d]) at[d++] = 0;
    if (d == dim_count) return bits;
  }
}

// Step 5, heuristics/SPACE: a first solution. It moves dimensions outside until the tiles fit.
inline Inside first_inside(const LayerShape& layer, const ToyMachine& machine) {
  Inside inside = layer.bounds;
  for (std::size_t d = 0; d < dim_count && !evaluate(layer, machine, inside); ++d) inside[d] = 1;
  return inside;
}

// Step 6, mapper/SPACE: one function that runs the engine on the problem, with the first solution as its
// start.
struct MappedToy {
  Layer layer;
  Inside inside = unit_extents;
  Int bits = 0;  ///< fetched bits, as the result states them
};
inline Engine<ToySpace>::Outcome map_layer(const LayerShape& layer, const ToyMachine& machine) {
  MemoryBudget memory(std::size_t{1} << 28U);
  ToySpace space(make_problem(layer, machine), rules_of);
  const auto executor = make_executor(ExecutorKind::serial, 1);
  StopSource stop;
  std::vector<Engine<ToySpace>::Found> known;
  if (const auto first = first_inside(layer, machine); const auto bits = evaluate(layer, machine, first))
    known.push_back({static_cast<double>(*bits), 0, first});
  return Engine<ToySpace>(space, *executor, memory, {}, stop).run(std::move(known));
}

// Step 7, io/SPACE: machine files of the space, read with io::MapReader, which rejects invalid keys and
// values.
using NamedToy = NamedMachine<ToyMachine>;
inline constexpr io::IntRange positive = {.low = 1};
inline NamedToy read_machine_node(const io::Node& node, io::Reading& reading) {
  static constexpr std::array<std::string_view, 3> keys = {"name", "kind", "buffer"};
  const io::MapReader map(node, "toy machine", keys, reading);
  return {{.name = map.name("name")}, make_machine(map.integer("buffer", positive))};
}
inline io::Result<NamedToy> read_machine(const std::string& file) {
  const auto path = io::find_data(io::DataKind::architecture, file);
  if (!path) return path.error();
  const auto document = io::Document::read(path->string());
  if (!document) return document.error();
  io::Reading reading;
  auto machine = read_machine_node(document->root(), reading);
  if (reading.failed()) return reading.error();
  return machine;
}

// Step 8, report/SPACE: results written as JSON, read back from JSON, and printed as text.
struct Run {
  NamedToy machine;
  std::vector<MappedToy> layers;
};
inline io::Json to_json(const NamedToy& machine) {
  return {{"name", machine.name}, {"kind", "toy"}, {"buffer", machine.machine.buffer()}};
}
inline io::Json to_json(const Run& run) {
  io::Json json = {{"schema", "nestor.toy/1"}, {"space", "toy"}, {"machine", to_json(run.machine)}};
  for (const auto& [layer, inside, bits] : run.layers)
    json["layers"].push_back({{"layer", io::layer_to_json(layer)}, {"inside", inside}, {"bits", bits}});
  return json;
}
inline io::Result<Run> read_run(const io::RunOptions& options) {
  static constexpr std::array<std::string_view, 4> top_keys = {"schema", "space", "machine", "layers"};
  static constexpr std::array<std::string_view, 3> layer_keys = {"layer", "inside", "bits"};
  const auto document = io::Document::read(options.inputs.front());
  if (!document) return document.error();
  io::Reading reading;
  const io::MapReader top(document->root(), "toy result", top_keys, reading);
  Run run;
  if (const auto machine = top.require("machine")) run.machine = read_machine_node(*machine, reading);
  for (const auto& node : top.list("layers", 1, 1000)) {
    const io::MapReader map(node, "layer", layer_keys, reading);
    auto& mapped = run.layers.emplace_back();
    if (const auto layer = map.require("layer")) mapped.layer = io::read_layer_node(*layer, "", {}, reading);
    const auto inside = map.list("inside", dim_count, dim_count);
    for (std::size_t d = 0; d < inside.size(); ++d)
      mapped.inside[d] = io::read_integer(inside[d], "inside", positive, reading);
    mapped.bits = map.integer("bits", positive);
    if (!reading.failed() && !evaluate(mapped.layer.shape, run.machine.machine, mapped.inside))
      reading.fail(node, "tiles do not divide the layer, or do not fit");
  }
  if (reading.failed()) return reading.error();
  return run;
}
inline std::string table_of(const Run& run) {
  io::Table table({{"layer", io::Align::left}, {"inside", io::Align::left}, {"bits fetched"}});
  for (const auto& [layer, inside, bits] : run.layers)
    table.add_row({layer.name, report::shape_text({.bounds = inside, .bits = {}}), fmt::format("{}", bits)});
  return table.to_string();
}

// Step 9, app/SPACE: the verbs, which call the modules above.
inline io::Result<app::ExitStatus> finish(const Run& run, const io::RunOptions& options) {
  if (app::prints_tables(options)) app::print_text(table_of(run));
  if (auto error = app::write_json_output(options, to_json(run))) return *error;
  return app::ExitStatus::solved;
}
inline io::Result<app::ExitStatus> map(const io::RunOptions& options) {
  auto machine = read_machine(options.arch);
  if (!machine) return machine.error();
  const auto network = app::read_network(options.inputs.at(0), options);
  if (!network) return network.error();
  Run run{*machine, {}};
  for (const Layer& layer : network->layers) {
    const auto outcome = map_layer(layer.shape, run.machine.machine);
    if (outcome.status != Status::optimal) return io::usage_error("no tile fits");
    const Inside& inside = outcome.best.front().solution;
    run.layers.push_back({layer, inside, *evaluate(layer.shape, run.machine.machine, inside)});
  }
  return finish(run, options);
}
template <std::optional<Int> (*CountBits)(const LayerShape&, const ToyMachine&, const Inside&)>
io::Result<app::ExitStatus> count_again(const io::RunOptions& options) {
  auto run = read_run(options);
  if (!run) return run.error();
  for (auto& [layer, inside, bits] : run->layers)
    bits = *CountBits(layer.shape, run->machine.machine, inside);
  return finish(*run, options);
}
inline io::Result<app::ExitStatus> verify(const io::RunOptions& options) {
  const auto run = read_run(options);
  if (!run) return run.error();
  bool holds = true;
  for (const auto& [layer, inside, bits] : run->layers)
    holds = holds && replay(layer.shape, run->machine.machine, inside) == bits;
  app::print_text(holds ? "confirmed\n" : "NOT confirmed\n");
  return holds ? app::ExitStatus::solved : app::ExitStatus::failed;
}
inline io::Result<app::Shown> show_machine(const std::string& file, const io::RunOptions& /*options*/) {
  const auto machine = read_machine(file);
  if (!machine) return machine.error();
  return app::Shown{fmt::format("{}: {} bits\n", machine->name, machine->machine.buffer()),
                    to_json(*machine)};
}
inline io::Result<app::Shown> show_run(const io::RunOptions& options) {
  const auto run = read_run(options);
  if (!run) return run.error();
  return app::Shown{table_of(*run), to_json(*run)};
}

// Step 10, app/spaces.cpp: the row of the toy in the table of spaces.
inline constexpr app::Space row{.kind = "toy",
                                .title = "two memories",
                                .map = map,
                                .evaluate = count_again<evaluate>,
                                .simulate = count_again<replay>,
                                .verify = verify,
                                .show_architecture = show_machine,
                                .show_solutions = show_run};

}  // namespace nestor::toy

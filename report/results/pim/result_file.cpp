#include "report/results/pim/result_file.h"

#include <fmt/format.h>

#include "io/vocabulary.h"
#include "report/keys/common.h"
#include "report/keys/machine.h"
#include "report/keys/pim.h"

namespace nestor::io::pim {
namespace {

using nestor::pim::PimEvaluation;
using nestor::pim::PimMapping;

std::string letter_of(Operand operand) { return std::string(1, letter(operand)); }

Json rows_to_json(const PimEvaluation& evaluation) {
  Json rows = Json::object();
  for (const Operand operand : all_operands)
    rows[letter_of(operand)] = evaluation.row_activations[index_of(operand)];
  return rows;
}

// Returns the used shares of lanes, of capacity and of bandwidth. Only limited memories that contain
// something, and only bandwidth that is used, are listed.
Json utilisation_to_json(const PimEvaluation& evaluation, const PimMapping& mapping,
                         const NamedPimMachine& named) {
  Json capacity = Json::object(), bandwidth = Json::object();
  for (std::size_t m = 0; m < named.memory_names.size(); ++m) {
    const Memory& memory = named.machine.memories[m];
    const Int used = evaluation.usage_bits[m];
    if (used > 0 && memory.capacity != unlimited_capacity)
      capacity[named.memory_names[m]] = static_cast<double>(used) / static_cast<double>(memory.capacity);
    const double share = nestor::pim::bandwidth_share(memory, evaluation, m);
    if (share > 0) bandwidth[named.memory_names[m]] = share;
  }
  return {{key::lanes, nestor::pim::lane_share(named.machine, mapping)},
          {key::capacity, std::move(capacity)},
          {key::bandwidth, std::move(bandwidth)}};
}

}  // namespace

Json evaluation_to_json(const PimEvaluation& evaluation, const PimMapping& mapping,
                        const NamedPimMachine& named) {
  const auto& names = named.memory_names;
  const auto& machine = named.machine;
  Json json = {{key::latency_cycles, evaluation.latency_cycles},
               {key::latency_per_operand, evaluation.latency_per_operand},
               {key::latency_shared, evaluation.latency_shared},
               {key::compute_cycles, evaluation.compute_cycles}};
  Json cycles = Json::object(), bits = Json::object(), transfers = Json::object();
  Json energy = Json::object(), sizes = Json::object(), usage = Json::object(), blocks = Json::object();
  energy[key::compute] = evaluation.compute_energy_pj;
  for (std::size_t m = 0; m < names.size(); ++m) {
    cycles[names[m]] = {{key::per_operand, evaluation.memory_cycles[m].per_operand},
                        {key::shared, evaluation.memory_cycles[m].shared}};
    if (machine.memories[m].row > 0 && machine.memories[m].activation_energy > 0)
      energy[names[m] + "/activation"] = evaluation.activation_energy_pj;
    for (const auto operand : all_operands) {
      const auto x = index_of(operand);
      if (!evaluation.used[m].contains(operand)) continue;
      const auto key = fmt::format("{}/{}", names[m], letter(operand));
      bits[key] = evaluation.bits[m][x];
      energy[key] = evaluation.memory_energy_pj[m][x];
      if (evaluation.times[m][x] > 0)
        transfers[fmt::format("{}/{}", names[evaluation.source[m][x]], key)] = evaluation.times[m][x];
      if (m != machine.home(operand)) sizes[key] = evaluation.size_bits[m][x];
    }
    if (evaluation.usage_bits[m] > 0) usage[names[m]] = evaluation.usage_bits[m];
  }
  for (const auto operand : all_operands) {
    Json list = Json::array();
    for (const auto& loop : mapping.nest.loops) list.push_back(names[loop.at[index_of(operand)]]);
    blocks[letter_of(operand)] = std::move(list);
  }
  json[key::memory_cycles] = std::move(cycles);
  json[key::row_activations] = rows_to_json(evaluation);
  json[key::bits] = std::move(bits);
  json[key::transfers] = std::move(transfers);
  json[key::energy_pj] = evaluation.energy_pj;
  json[key::edp] = evaluation.edp();
  json[key::energy] = std::move(energy);
  json[key::sizes_bits] = std::move(sizes);
  json[key::usage_bits] = std::move(usage);
  json[key::utilisation] = utilisation_to_json(evaluation, mapping, named);
  json[key::blocks] = std::move(blocks);
  return json;
}

Json bypass_table_to_json(const nestor::pim::StoredPairs& stored, const NamedPimMachine& machine) {
  Json table = Json::object();
  for (std::size_t m = 0; m < machine.memory_names.size(); ++m) {
    auto operands = Json::array();
    for (const Operand operand : all_operands)
      if (stored[m].contains(operand)) operands.push_back(letter_of(operand));
    if (!operands.empty()) table[machine.memory_names[m]] = std::move(operands);
  }
  return table;
}

std::optional<PointCost> cost_of(const PimPoint& point, const NamedPimMachine& machine) {
  if (!point.evaluation) return std::nullopt;
  return PointCost{point.evaluation->latency_cycles, point.evaluation->total_energy_pj(machine.machine)};
}

namespace {

// Schema of what evaluation_to_json() returns.
Json evaluation_schema() {
  const auto map_of = [](Json values) { return map_schema({}, std::move(values)); };
  const auto record = [](Json properties) { return record_schema(std::move(properties), true); };
  const auto per_operand = [&](const Json& value) {
    return record({{"I", value}, {"W", value}, {"O", value}});
  };
  const Json count = count_schema(), share = number_schema({0, 1});
  return record({
      {key::latency_cycles, count},
      {key::latency_per_operand, count},
      {key::latency_shared, count},
      {key::compute_cycles, count},
      {key::memory_cycles, described(map_of(record({{key::per_operand, count}, {key::shared, count}})),
                                     "Cycles of each memory, for DRAM including activations; 0 if unused.")},
      {key::row_activations, per_operand(count)},
      {key::bits,
       described(map_of(count), "Bits that cross the inner side of one instance, per memory/operand.")},
      {key::transfers,
       described(map_of(count), "Moves of a tile, per source/memory/operand; for O, write-backs.")},
      {key::energy_pj, described(figure_schema(), "Sum of `energy`, without leakage.")},
      {key::edp, figure_schema()},
      {key::energy,
       described(
           map_of(figure_schema()),
           "pJ per memory/operand for all reads and writes in all instances, for `compute`, and for row "
           "activations (DRAM/activation).")},
      {key::sizes_bits, described(map_of(count), "Bits of a tile per memory/operand, without homes.")},
      {key::usage_bits, described(map_of(count), "Bits in use of each memory that holds data.")},
      {key::utilisation,
       described(
           record({{key::lanes, share}, {key::capacity, map_of(share)}, {key::bandwidth, map_of(share)}}),
           "Used shares: of the lanes of all axes, of the capacity of limited memories that hold "
           "data, and of the bandwidth of memories in use.")},
      {key::blocks, described(per_operand(list_schema({0, 1000}, text_schema())),
                              "Memory of each temporal loop per operand, outermost loop first.")},
  });
}

// A mapping and its cost. The figures follow from the mapping, and are skipped when a file is read. A `brief`
// cost lacks EDP, dataflow and evaluation.
void describe_point(Fields& fields, PimPoint& point, const NamedPimMachine& named, const LayerShape& layer,
                    Presence presence, bool brief) {
  Json cycles, energy, edp, flow, evaluation;
  if (const auto cost = cost_of(point, named)) {
    cycles = cost->cycles;
    energy = figure_to_json(cost->energy_pj);
    edp = figure_to_json(cost->edp());
    if (!brief) {
      flow = to_string(dataflow_of(point.nest(layer), named.machine, *point.mapping));
      evaluation = evaluation_to_json(*point.evaluation, *point.mapping, named);
    }
  }
  add_output(fields, key::latency_cycles, cycles, count_schema, "");
  add_output(fields, key::energy_pj, energy, figure_schema, "Energy, including leakage over the latency.");
  if (!brief) {
    add_output(fields, key::edp, edp, figure_schema, "energy_pj * latency_cycles");
    add_output(
        fields, key::dataflow, flow, [] { return text_schema(); }, "Dataflow pattern of the mapping.");
  }
  const auto read = [&](const Node& node, const std::string& /*label*/, Reading& reading) {
    point.mapping = read_mapping_node(node, named, reading);
  };
  const auto write = [&] { return point.mapping ? mapping_to_json(*point.mapping, named) : Json(); };
  fields.field({key::mapping, presence, read, [] {}, write, [] { return mapping_schema(); }, ""});
  describe_padded(fields, point);
  if (!brief)
    add_output(
        fields, key::evaluation, evaluation, [] { return evaluation_schema(); },
        "Figures of the mapping, without leakage.");
}

struct PimResult {
  using Run = PimRun;
  static constexpr const char* machine_schema = "pim-architecture.schema.json";
  static NamedPimMachine read_machine(const Node& node, Reading& reading) {
    return read_machine_node(node, reading);
  }
  static Json write_machine(const NamedPimMachine& machine) { return machine_to_json(machine); }
  static void describe_record(Fields& fields, PimRecord& record, const NamedPimMachine& machine);
  static void describe_rest(Fields& fields, PimRun& run) {
    add_output(
        fields, key::bypass_table, run.table ? bypass_table_to_json(*run.table, run.machine) : Json(),
        [] {
          return map_schema({}, list_schema({1, operand_count}, words_schema(operand_words)));
        },
        "With map --fix-bypass: the operands that each memory stores.");
  }
  // The costs and figures of a file are not used: they follow from the mappings.
  static void accept(const Node& node, PimRecord& record, Reading& reading) {
    if (record.layer.shape.bound(Dim::G) != 1)
      reading.fail(node, "PIM machines have no dimension G, expected layers without G");
    record.status.reset();
    record.lower_bound.reset();
    record.claimed_objective.reset();
    record.best.objective.reset();
    for (auto* points : {&record.alternatives, &record.front})
      for (auto& point : *points) point.objective.reset();
    record.replay_cycles.reset();
    record.replay = nullptr;
  }
};

Json row_models_to_json(const std::vector<PimEvaluation>& evaluations) {
  Json json;
  for (std::size_t i = 0; i < evaluations.size(); ++i)
    json[std::string(nestor::pim::row_models.words[i])] = {
        {key::latency_cycles, evaluations[i].latency_cycles},
        {key::row_activations, rows_to_json(evaluations[i])}};
  return json;
}

void PimResult::describe_record(Fields& fields, PimRecord& record, const NamedPimMachine& machine) {
  const auto& shape = record.layer.shape;
  const auto describe_brief = [&](Fields& inner, PimPoint& point) {
    describe_point(inner, point, machine, shape, optional, true);
  };
  describe_costs(fields, record);
  describe_point(fields, record.best, machine, shape, optional, false);
  describe_mappings(fields, record, true, [&](Fields& inner, PimPoint& point) {
    describe_point(inner, point, machine, shape, required, false);
  });
  describe_resources(fields, record, resource_kinds, describe_brief);
  add_count(fields, key::replay_cycles, record.replay_cycles, "With simulate: cycles of the replay.");
  add_json(fields, key::replay, record.replay, any_schema, "With simulate: the figures of the replay.");
  const auto row_models_schema = [] {
    const auto row_model = record_schema({{key::latency_cycles, count_schema()},
                                          {key::row_activations, map_schema(operand_words, count_schema())}},
                                         true);
    return map_schema(nestor::pim::row_models.words, row_model);
  };
  add_output(fields, key::row_models, row_models_to_json(record.row_models), row_models_schema,
             "With evaluate, on machines with rows: the figures of each row model.");
}

}  // namespace

Json run_to_json(const PimRun& run) { return nest_run_to_json<PimResult>(run); }
Json result_schema() { return nest_run_schema<PimResult>(); }
Result<PimRun> read_run(const Node& root) { return read_nest_run<PimResult>(root); }

}  // namespace nestor::io::pim

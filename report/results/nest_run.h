// The result of a run in a loop-nest space, as a file and in memory. A space supplies its machine, the record
// of a layer and the cost of a mapping; everything else is the same in all spaces.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/results/result_parts.h"

namespace nestor::io {

/// Cost of a mapping. Energy includes leakage.
struct PointCost {
  Int cycles = 0;
  double energy_pj = 0;
  double edp() const { return energy_pj * static_cast<double>(cycles); }
};

/// A run: its request, its machine, and its findings for each layer.
template <typename NamedMachine, typename LayerRecord>
struct NestRun : RunHead {
  using Record = LayerRecord;

  NamedMachine machine;
  std::vector<Record> layers;
  std::vector<UnmappedOperator> unmapped;
};

/// Returns the point that the totals include. For a layer that only has a front, this is the fastest one.
template <typename Record>
const auto& counted(const Record& record) {
  return record.best.mapping || record.front.empty() ? record.best : record.front.front();
}

/// Returns the sums over the layers of a run whose mappings have costs. `cost_of` is a function of the space.
template <typename Run>
ResultTotals compute_totals(const Run& run) {
  TotalsSum sum(run.objective.name);
  for (const auto& record : run.layers) {
    const auto& bound = record.lower_bound;
    sum.add_layer(record.layer, record.best.objective, bound && std::isfinite(*bound) ? bound : std::nullopt);
    if (const auto cost = cost_of(counted(record), run.machine))
      sum.add_mapping(record.layer, cost->cycles, cost->energy_pj);
  }
  return sum.totals();
}

/// The whole result. `Space` supplies:
///
///     Run, machine_schema                      the type of the run, and the file of its machine's schema
///     read_machine(node, reading), write_machine(machine)
///     describe_record(fields, record, machine), describe_rest(fields, run)
///     accept(node, record, reading)            checks and completes a record that was read
template <typename Space>
void describe_nest_run(Fields& fields, typename Space::Run& run) {
  using Record = typename Space::Run::Record;
  const auto read = [&](const Node& node, const std::string& /*label*/, Reading& reading) {
    run.machine = Space::read_machine(node, reading);
  };
  describe_run_head(fields, run, [&](Fields& head) {
    head.field({key::architecture, required, read, [] {}, [&] { return Space::write_machine(run.machine); },
                [] {
                  return Json{{"$ref", Space::machine_schema}};
                },
                "The whole machine, in the form of its file."});
  });
  Space::describe_rest(fields, run);
  describe_layers(
      fields, run.layers,
      [&](Fields& layer, Record& record) { Space::describe_record(layer, record, run.machine); },
      Space::accept);
  describe_run_end(fields, run, run.unmapped, compute_totals(run));
}

template <typename Space>
Json nest_run_to_json(const typename Space::Run& run) {
  auto written = run;
  return write_fields([&](Fields& fields) { describe_nest_run<Space>(fields, written); });
}

template <typename Space>
Json nest_run_schema() {
  typename Space::Run run;
  return schema_of([&](Fields& fields) { describe_nest_run<Space>(fields, run); }, SchemaKind::output);
}

template <typename Space>
Result<typename Space::Run> read_nest_run(const Node& root) {
  if (auto error = check_schema(root)) return *error;
  Reading reading;
  typename Space::Run run;
  read_fields(root, "result", reading, [&](Fields& fields) { describe_nest_run<Space>(fields, run); });
  if (reading.failed()) return reading.error();
  return run;
}

}  // namespace nestor::io

#include "report/simd/schedule_figures.h"

#include <map>

#include "model/simd/occupancy.h"
#include "report/keys/common.h"
#include "report/keys/proof.h"
#include "report/keys/simd.h"
#include "report/results/output_fields.h"

namespace nestor::report {
namespace {

using io::Fields;
using io::put;

constexpr std::size_t occupancy_samples = 200;

struct ArrayRows {
  std::size_t array = 0;
  std::vector<std::uint32_t> rows;
};

void describe_array_rows(Fields& fields, const ArrayRows& of) {
  put(fields, key::array, of.array, "");
  put(fields, key::rows, of.rows, "");
}

void describe_occupancy(Fields& fields, const simd::Occupancy& occupancy) {
  std::vector<ArrayRows> arrays;
  for (const auto& rows : occupancy.rows) arrays.push_back({arrays.size(), rows});
  put(fields, key::after_instructions, occupancy.after, "Number of instructions before each sample.");
  put_list(fields, key::arrays, arrays, describe_array_rows, "");
}

}  // namespace

void describe_netlist(Fields& fields, const ScheduledNetlist& of) {
  put(fields, key::name, of.netlist.name, "");
  put(fields, key::inputs, of.netlist.input_names.size(), "");
  put(fields, key::outputs, of.netlist.outputs.size(), "");
  put(fields, key::nodes_before_mapping, of.mapping.gates_before, "");
  put(fields, key::restructured, of.mapping.restructured, "True if technology mapping changed the netlist.");
  put(fields, key::nodes, of.netlist.gates.size(), "");
}

io::Json netlist_json(const ScheduledNetlist& of) {
  return io::write_fields([&](Fields& fields) { describe_netlist(fields, of); });
}

std::vector<CopiesOfPair> copies_by_pair(const simd::Schedule& schedule) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> counts;
  for (const auto& instruction : schedule.instructions)
    if (instruction.is_copy()) ++counts[{instruction.from.array, instruction.to.array}];
  std::vector<CopiesOfPair> pairs;
  for (const auto& [pair, count] : counts) pairs.push_back({pair.first, pair.second, count});
  return pairs;
}

void describe_pairs(Fields& fields, const std::vector<CopiesOfPair>& pairs) {
  const auto describe = [](Fields& inner, const CopiesOfPair& pair) {
    put(inner, key::from, pair.from, "");
    put(inner, key::to, pair.to, "");
    put(inner, key::copies, pair.copies, "");
  };
  put_list(fields, key::by_pair, pairs, describe, "Copies from one array to another.");
}

void describe_figures(Fields& fields, const simd::Schedule& schedule, const simd::ScheduleFigures& figures,
                      const simd::EnergyModel& energy) {
  put(fields, key::rows, schedule.rows, "Number of rows of an array.");
  put(fields, key::array_limit, schedule.array_limit, "Maximum number of arrays; 0: as many as useful.");
  put(fields, key::recompute, schedule.recompute, "True if nodes may be computed more than once.");
  put(fields, key::copies, figures.copies, "");
  put(fields, key::computes, figures.computes, "");
  put(fields, key::energy, figures.energy(energy), "Energy in units of one compute.");
  put(fields, key::arrays_used, figures.arrays_used, "");
  put(fields, key::rows_used, figures.rows_used, "Maximum number of rows used in one array.");
  // The occupancy takes time and is computed only if it is written.
  const auto write = [&] {
    const auto occupancy = simd::occupancy(schedule, occupancy_samples);
    return io::write_fields([&](Fields& inner) { describe_occupancy(inner, occupancy); });
  };
  const auto schema = [] {
    return io::schema_of([](Fields& inner) { describe_occupancy(inner, {}); }, io::SchemaKind::output);
  };
  put_json(fields, key::occupancy, io::always, write, schema,
           "Number of rows, except those of inputs, that hold a value still to be read, at sampled times.");
}

io::ResultObjective objective_of(simd::ScheduleObjective objective, std::uint64_t copies, double energy) {
  const bool counts = objective == simd::ScheduleObjective::copies;
  return {std::string(simd::to_string(objective)), "", counts ? io::Json(copies) : io::Json(energy)};
}

void describe_schedule_totals(Fields& fields, const ScheduleTotals& totals) {
  const auto& [nodes, copies, energy, objective, least_copies] = totals;
  const bool has_bound = objective == simd::ScheduleObjective::copies;
  const auto all = static_cast<double>(copies);
  const double gap = copies == 0 ? 0.0 : (all - static_cast<double>(least_copies)) / all;
  const auto of = objective_of(objective, copies, energy);
  put(fields, key::layers, nodes, "Number of nodes.");
  put(fields, key::mapped, nodes, "");
  put(fields, key::copies, copies, "");
  put(fields, key::energy, energy, "Energy in units of one compute.");
  put_json(
      fields, key::objective, io::always, [&] { return of.value; },
      [] { return io::schema_of_type<double>(); }, "");
  put(fields, key::lower_bound, has_bound ? std::optional(least_copies) : std::nullopt,
      "Lower bound on the number of copies.");
  put(fields, key::gap, has_bound ? std::optional(gap) : std::nullopt, "");
}

}  // namespace nestor::report

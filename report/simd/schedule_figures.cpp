#include "report/simd/schedule_figures.h"

#include <map>

#include "model/simd/occupancy.h"
#include "report/keys/common.h"
#include "report/keys/proof.h"
#include "report/keys/simd.h"

namespace nestor::report {
namespace {

constexpr std::size_t occupancy_samples = 200;

io::Json occupancy_json(const simd::Schedule& schedule) {
  auto occupancy = simd::occupancy(schedule, occupancy_samples);
  auto arrays = io::Json::array();
  for (std::size_t array = 0; array < occupancy.rows.size(); ++array)
    arrays.push_back({{key::array, array}, {key::rows, std::move(occupancy.rows[array])}});
  return {{key::after_instructions, std::move(occupancy.after)}, {key::arrays, std::move(arrays)}};
}

}  // namespace

io::Json netlist_json(const ScheduledNetlist& of) {
  return {{key::name, of.netlist.name},
          {key::inputs, of.netlist.input_names.size()},
          {key::outputs, of.netlist.outputs.size()},
          {key::nodes_before_mapping, of.mapping.gates_before},
          {key::restructured, of.mapping.restructured},
          {key::nodes, of.netlist.gates.size()}};
}

io::Json copies_by_pair(const simd::Schedule& schedule) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> pairs;
  for (const auto& instruction : schedule.instructions)
    if (instruction.is_copy()) ++pairs[{instruction.from.array, instruction.to.array}];
  auto json = io::Json::array();
  for (const auto& [pair, count] : pairs)
    json.push_back({{key::from, pair.first}, {key::to, pair.second}, {key::copies, count}});
  return json;
}

io::Json figures_json(const simd::Schedule& schedule, const simd::ScheduleFigures& figures,
                      const simd::EnergyModel& energy) {
  return {{key::rows, schedule.rows},
          {key::array_limit, schedule.array_limit},
          {key::recompute, schedule.recompute},
          {key::copies, figures.copies},
          {key::computes, figures.computes},
          {key::energy, figures.energy(energy)},
          {key::arrays_used, figures.arrays_used},
          {key::rows_used, figures.rows_used},
          {key::occupancy, occupancy_json(schedule)}};
}

io::ResultObjective objective_of(simd::ScheduleObjective objective, const io::Json& figures) {
  const bool counts = objective == simd::ScheduleObjective::copies;
  return {std::string(simd::to_string(objective)), "", figures.at(counts ? key::copies : key::energy)};
}

io::Json totals_json(std::uint64_t nodes, const io::Json& figures, simd::ScheduleObjective objective,
                     std::uint64_t least_copies) {
  io::Json json = {{key::layers, nodes},
                   {key::mapped, nodes},
                   {key::copies, figures.at(key::copies)},
                   {key::energy, figures.at(key::energy)},
                   {key::objective, objective_of(objective, figures).value}};
  if (objective != simd::ScheduleObjective::copies) return json;
  const auto copies = figures.at(key::copies).get<double>();
  json[key::lower_bound] = least_copies;
  json[key::gap] = copies == 0 ? 0.0 : (copies - static_cast<double>(least_copies)) / copies;
  return json;
}

}  // namespace nestor::report

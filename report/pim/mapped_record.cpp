#include "report/pim/mapped_record.h"

#include "report/keys/common.h"

namespace nestor::report {

void set_result(io::pim::LayerRecord& record, const mapper::pim::PimLayerMap& map,
                const io::pim::NamedPimMachine& machine) {
  if (!map.heuristic) {
    record.status = map.status;
    record.lower_bound = map.bound;
  }
  record.search = {
      {key::nodes, map.search.counts.expanded},
      {key::labels, map.search.counts.generated},
      {key::pruned, {{key::bound, map.search.counts.cut}, {key::dominated, map.search.counts.dominated}}},
      {key::choices, map.search.branches},
      {key::seconds, map.search.seconds}};
  for (std::size_t i = 0; i < map.best.size(); ++i) {
    const auto& point = map.best[i];
    if (i == 0) {
      record.mapping = point.mapping;
      record.evaluation = point.evaluation;
      if (map.front.empty()) record.objective = point.objective;
    } else {
      auto json = io::pim::point_to_json(point.mapping, point.evaluation, machine, record.layer.shape);
      json[key::objective] = point.objective;
      record.alternatives.push_back(std::move(json));
    }
  }
  if (!map.front.empty()) record.lower_bound.reset();
  for (const auto& point : map.front)
    record.front.push_back(
        io::pim::point_to_json(point.mapping, point.evaluation, machine, record.layer.shape));
}

io::Json bypass_table_json(const nestor::pim::StoredPairs& stored, const io::pim::NamedPimMachine& machine) {
  io::Json table = io::Json::object();
  for (std::size_t m = 0; m < machine.memory_names.size(); ++m) {
    auto operands = io::Json::array();
    for (const Operand operand : all_operands)
      if (stored[m].contains(operand)) operands.push_back(std::string(1, letter(operand)));
    if (!operands.empty()) table[machine.memory_names[m]] = std::move(operands);
  }
  return table;
}

}  // namespace nestor::report

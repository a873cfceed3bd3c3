// Result files of the cim space (docs/formats.md, "Result"): the request of a run, its findings for each
// layer, and totals. The architecture is embedded, so that verify, evaluate, simulate and show need no other
// file. Every figure is optional: a layer can lack a mapping (because of a limit, or because none exists),
// and verbs other than map add their own figures. docs/formats.md lists the keys.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/enum_words.h"
#include "model/cim/evaluate.h"
#include "model/cim/waits.h"
#include "model/loopnest/mapping.h"
#include "model/workload/named_machine.h"
#include "report/results/nest_run.h"

namespace nestor::io {

/// One mapping and its cost under the selected latency model. Energy includes leakage.
struct CimPoint : MappedBounds {
  std::optional<double> objective;
  std::optional<Int> latency_cycles;
  std::optional<double> energy_pj;
  std::optional<Mapping> mapping;
};

using ResourceRecord = NamedReport<CimPoint>;
/// The kinds of resources of a machine whose memories have no rows.
inline constexpr auto cim_resource_kinds = [] {
  using Kind = Resource::Kind;
  EnumWords<Kind, 4> table{{Kind::compute, Kind::bandwidth, Kind::capacity, Kind::axis}, {}};
  for (std::size_t i = 0; i < table.values.size(); ++i) table.words[i] = resource_kinds.word(table.values[i]);
  return table;
}();

struct CimRecord : LayerFindings<CimPoint> {
  Json usage_bits = Json::object();    ///< usage as in an `evaluation` (evaluation_json.h)
  Json traffic_bits = Json::object();  ///< traffic as in an `evaluation`
  /// Cycles of `compute`, then waits by memory/operand, in the order of attribution (model/cim/waits.h).
  Json spent_cycles = Json::object();
  Json evaluation;  ///< evaluation from the verbs evaluate and import; null if absent
  Json stalls;      ///< stalls from the verb simulate; null if absent
};

struct CimRun : NestRun<NamedArchitecture, CimRecord> {
  CimRun() {
    space = "cim";
    verb = "map";
    objective = {"latency", "stall"};
  }
};

Result<CimRun> read_run(const Node& root);

Json run_to_json(const CimRun& run);
Json result_schema_of_cim();

/// The latency model of the figures of a run.
cim::LatencyModel latency_model_of(const CimRun& run);
std::optional<PointCost> cost_of(const CimPoint& point, const NamedArchitecture& architecture);

void set_cost(CimPoint& point, const cim::CimEvaluation& evaluation, const Architecture& machine,
              cim::LatencyModel model);
/// Sets cost, usage and traffic of the layer's mapping under the selected latency model.
void set_figures(CimRecord& layer, const cim::CimEvaluation& evaluation,
                 const NamedArchitecture& architecture, cim::LatencyModel model);

/// Sets the causes of the cycles of the layer's mapping.
void set_spent_cycles(CimRecord& layer, const cim::SpentCycles& spent, const NamedArchitecture& architecture);

}  // namespace nestor::io

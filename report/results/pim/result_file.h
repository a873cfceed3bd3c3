// A result of the pim space: its layers with mappings and figures, as JSON that every verb reads again.
#pragma once

#include <optional>

#include "base/status.h"
#include "io/pim/mapping_file.h"
#include "model/pim/dataflow.h"
#include "model/pim/evaluate.h"
#include "report/results/result_file.h"

namespace nestor::io::pim {

/// What a verb says of one layer.
struct LayerRecord {
  Layer layer;
  std::optional<nestor::pim::PimMapping> mapping;
  std::optional<nestor::pim::PimEvaluation> evaluation;
  std::optional<Status> status;
  std::optional<double> objective;
  std::optional<double> lower_bound;
  Json search;                                                ///< what the search counted; null without one
  std::vector<Json> alternatives;                             ///< --top
  std::vector<Json> front;                                    ///< points of a front
  std::vector<nestor::pim::PimMapping> alternative_mappings;  ///< as read from a file
  std::vector<nestor::pim::PimMapping> front_mappings;
  Json resources;  ///< with --explain: what more of each resource gains
  std::optional<Int> replay_cycles;
  Json replay;
};

struct RunRecord {
  std::string version;
  std::string verb;
  std::string network;
  std::string objective;
  std::vector<std::pair<std::string, std::string>> options;
  std::vector<ResultInput> inputs;
  NamedPimMachine machine;
  std::vector<LayerRecord> layers;
  bool complete = true;
  std::optional<Json> table;  ///< the bypass table of fix_bypass
};

Json evaluation_to_json(const nestor::pim::PimEvaluation& evaluation, const nestor::pim::PimMapping& mapping,
                        const NamedPimMachine& machine);
/// Mapping and figures of one point.
Json point_to_json(const nestor::pim::PimMapping& mapping, const nestor::pim::PimEvaluation& evaluation,
                   const NamedPimMachine& machine, const LayerShape& layer);
Json run_to_json(const RunRecord& run);

/// What the run was, machine, layers and mappings of a result file; its figures are left out.
Result<RunRecord> read_run(const std::string& path);

}  // namespace nestor::io::pim

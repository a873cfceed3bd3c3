// A result of the pim space: its layers with mappings and figures, which every verb can read again.
#pragma once

#include <optional>

#include "io/pim/mapping_file.h"
#include "model/pim/dataflow.h"
#include "model/pim/evaluate.h"
#include "report/results/nest_run.h"

namespace nestor::io::pim {

/// One mapping and its cost.
struct PimPoint : MappedBounds {
  std::optional<double> objective;
  std::optional<nestor::pim::PimMapping> mapping;
  std::optional<nestor::pim::PimEvaluation> evaluation;
};

/// The record of one layer, for any verb.
struct PimRecord : LayerFindings<PimPoint> {
  Json replay;                                           ///< replay from the verb simulate; null if absent
  std::vector<nestor::pim::PimEvaluation> row_models{};  ///< evaluations, one for each `RowModel`
};

struct PimRun : NestRun<NamedPimMachine, PimRecord> {
  PimRun() { space = "pim"; }

  std::optional<nestor::pim::StoredPairs> table;  ///< the bypass table of --fix-bypass
};

Json evaluation_to_json(const nestor::pim::PimEvaluation& evaluation, const nestor::pim::PimMapping& mapping,
                        const NamedPimMachine& machine);
/// Returns the operands that each memory stores. Memories that store no operand are left out.
Json bypass_table_to_json(const nestor::pim::StoredPairs& stored, const NamedPimMachine& machine);
std::optional<PointCost> cost_of(const PimPoint& point, const NamedPimMachine& machine);
Json run_to_json(const PimRun& run);
Json result_schema();

/// Reads the run, machine, layers and mappings of a result. Its figures are skipped.
Result<PimRun> read_run(const Node& root);

}  // namespace nestor::io::pim

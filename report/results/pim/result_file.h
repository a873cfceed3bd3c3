// A result of the pim space: its layers with mappings and figures, which every verb can read again.
#pragma once

#include <optional>

#include "io/pim/mapping_file.h"
#include "model/pim/dataflow.h"
#include "model/pim/evaluate.h"
#include "report/results/result_parts.h"

namespace nestor::io::pim {

/// One mapping and its cost.
struct MappedPimPoint : MappedBounds {
  std::optional<double> objective;
  std::optional<nestor::pim::PimMapping> mapping;
  std::optional<nestor::pim::PimEvaluation> evaluation;
};

/// The record of one layer, for any verb.
struct LayerRecord : LayerFindings<MappedPimPoint> {
  Json replay;                                           ///< replay from the verb simulate; null if absent
  std::vector<nestor::pim::PimEvaluation> row_models{};  ///< evaluations, one for each `RowModel`
};

struct RunRecord : RunHead {
  RunRecord() { space = "pim"; }

  NamedPimMachine machine;
  std::vector<LayerRecord> layers;
  std::vector<UnmappedOperator> unmapped;
  std::optional<nestor::pim::StoredPairs> table;  ///< the bypass table of --fix-bypass
};

Json evaluation_to_json(const nestor::pim::PimEvaluation& evaluation, const nestor::pim::PimMapping& mapping,
                        const NamedPimMachine& machine);
/// Returns the operands that each memory stores. Memories that store no operand are left out.
Json bypass_table_to_json(const nestor::pim::StoredPairs& stored, const NamedPimMachine& machine);
ResultTotals compute_totals(const RunRecord& run);
Json run_to_json(const RunRecord& run);
Json result_schema();

/// Reads the run, machine, layers and mappings of a result file. Its figures are skipped.
Result<RunRecord> read_run(const std::string& path);

}  // namespace nestor::io::pim

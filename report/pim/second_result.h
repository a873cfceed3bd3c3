// Second computation of a result of the pim space: rules and tiles from model/pim/second_reading; cycles,
// bits and energy from a replay of the mapping (sim/pim). It uses none of the model's formulas. For nestor
// verify.
#pragma once

#include <string>
#include <vector>

#include "model/loopnest/second_reading/nest_rules.h"
#include "report/results/pim/result_file.h"
#include "sim/pim/replay.h"

namespace nestor::report {

struct SecondPoint {
  std::vector<std::string> faults;  ///< reasons why nothing was computed
  io::Json json;                    ///< figures, in the format of a result file
  Int cycles = 0;
  double energy_pj = 0;  ///< energy including leakage
};

/// Returns the names of a machine's parts, which messages about broken rules contain.
verify::PartNames part_names(const io::pim::NamedPimMachine& machine);

/// Computes the figures of one mapping of a layer.
SecondPoint work_out_again(const LayerShape& layer, const io::pim::NamedPimMachine& machine,
                           const nestor::pim::PimMapping& mapping);

/// Returns the steps and accesses of a replay, as `simulate` writes them.
io::Json replay_json(const sim::pim::Replay& replay, const io::pim::NamedPimMachine& machine);

}  // namespace nestor::report

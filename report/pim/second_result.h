// A result of the pim space, worked out a second time: rules and tiles from
// model/pim/second_reading, cycles, bits and energy from a walk of the mapping (sim/pim); nothing from the
// model's formulas. For nestor verify.
#pragma once

#include <string>
#include <vector>

#include "model/loopnest/second_reading/nest_rules.h"
#include "report/results/pim/result_file.h"
#include "sim/pim/replay.h"

namespace nestor::report {

struct SecondPoint {
  std::vector<std::string> faults;  ///< why nothing could be worked out
  io::Json json;                    ///< as a result has it
  Int cycles = 0;
  double energy_pj = 0;  ///< leakage included
};

/// What the rules call the parts of a machine.
verify::PartNames part_names(const io::pim::NamedPimMachine& machine);

/// Of one mapping of a layer.
SecondPoint work_out_again(const LayerShape& layer, const io::pim::NamedPimMachine& machine,
                           const nestor::pim::PimMapping& mapping);

/// The steps and accesses of a walk, as `simulate` writes them.
io::Json replay_json(const sim::pim::Replay& replay, const io::pim::NamedPimMachine& machine);

}  // namespace nestor::report

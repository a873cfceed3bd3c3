// Lower bounds on the energy and the peak power of all schedules, computed without search. Energy is a sum
// over operators. Peak power is at least the maximum over the operators of the least power of each.
#pragma once

#include "model/chip/search/compile.h"
#include "model/chip/search/options.h"

namespace nestor::chip {

/// Least energies without leakage, transfers and spills; infinite if no schedule fits.
struct EnergyFloors {
  double single = 0;         ///< for a single segment
  double several = 0;        ///< for several segments, with any cuts
  bool single_apart = true;  ///< true if all options of least energy fit into one segment
};
/// Returns the bounds. `single` must contain the energies of options in a single segment, `several` those in
/// several segments.
EnergyFloors energy_floors(const ChipProblem& problem, const OptionTable& single, const OptionTable& several);

/// Returns, for each operator, the options of least energy.
OptionTable of_least_energy(const OptionTable& table);

/// Returns the energy to fetch the weights of all array operators once. A schedule of several segments
/// fetches them once per image.
double fetching_energy(const ChipProblem& problem);

/// Returns a lower bound on peak power: the highest power of a row if each operator runs at its least power.
/// With a limit on latency, the bound is also at least the least energy of all rows divided by that limit.
double power_floor(const ChipProblem& problem, const CompileRequest& request);

/// Returns a sequential schedule in which each operator runs at its least power.
Decisions least_power_schedule(const ChipProblem& problem, Levels levels);

}  // namespace nestor::chip

// Lower bounds on all schedules, figure by figure: the part of an exact search that needs no search. Energy
// is a sum over operators, and power is at least that of the option of least power of each operator.
#pragma once

#include "model/chip/search/compile.h"
#include "model/chip/search/options.h"

namespace nestor::chip {

/// Least energies without leakage, transfers and spills; infinite where nothing fits.
struct EnergyFloors {
  double single = 0;         ///< in one segment
  double several = 0;        ///< in several, whichever
  bool single_apart = true;  ///< each operator at its least fits one segment
};
/// Tables made with energy, of one segment and of several.
EnergyFloors energy_floors(const ChipProblem& problem, const OptionTable& single, const OptionTable& several);

/// The options of least energy only.
OptionTable of_least_energy(const OptionTable& table);

/// What the weights of all array operators cost to fetch once; they are rewritten where there are several
/// segments.
double fetching_energy(const ChipProblem& problem);

/// Of the power of the row that takes most, each operator run as gently as it can; with a limit on latency
/// also what all rows spend, spread over it.
double power_floor(const ChipProblem& problem, const CompileRequest& request);

/// One operator at a time, each as gently as it can.
Decisions gentlest(const ChipProblem& problem, Levels levels);

}  // namespace nestor::chip

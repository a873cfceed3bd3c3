// Totals of a run on a cim machine as text, and the utilisation of its lanes.
#pragma once

#include <string>

#include "report/results/cim/result_file.h"

namespace nestor::report {

/// Returns the multiply-accumulates as a share of what all lanes can perform in these cycles.
double utilisation(double macs, Int cycles, const Architecture& machine);

/// Returns a line such as "1.2 ms at 250 MHz, 3.4 TOPS, 5.6 TOPS/W". It contains only totals for which the
/// architecture has the required values. Returns an empty string if there are none.
std::string totals_text(const io::ResultTotals& totals, const Architecture& machine);

}  // namespace nestor::report

// Totals of a run.
#pragma once

#include <string>

#include "report/results/cim/result_file.h"

namespace nestor::report {

/// Multiply-accumulates done as a share of what all lanes could have done in these cycles.
double utilisation(double macs, Int cycles, const Architecture& machine);

/// "1.2 ms at 250 MHz, 3.4 TOPS, 5.6 TOPS/W": what the architecture file lets one say of the totals,
/// as a line; empty if nothing.
std::string totals_text(const io::ResultTotals& totals, const Architecture& machine);

}  // namespace nestor::report

// Plots of sweeps as SVG: a figure over one parameter (one line for each network, run and combination of
// other parameters), a heat map over two, or two figures against each other with their Pareto front.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "io/error.h"
#include "report/sweep/sweep_table.h"

namespace nestor::report {

/// Returns the plot. `axes` are parameters and options, then one figure; or they are two figures. If empty,
/// they are the first parameters that vary, and edp.
io::Result<std::string> sweep_plot(std::string_view title, std::span<const SweepRow> rows,
                                   std::vector<std::string> axes);

}  // namespace nestor::report

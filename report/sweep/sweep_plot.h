// Plots of sweeps as SVG. There are three kinds: a figure over one parameter, with one line for each network,
// run and combination of other parameters; a heat map over two parameters; and two figures against each
// other, with their Pareto front.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "io/error.h"
#include "report/sweep/sweep_table.h"

namespace nestor::report {

/// Returns the names of the parameters and options that have several values, in order of appearance, or
/// "machine" if none has.
std::vector<std::string> varying_parameters(std::span<const SweepRow> rows);

/// Returns the plot. `axes` names parameters and options, then one figure, or it names two figures. If it is
/// empty, the plot uses the first parameters that vary, and edp.
io::Result<std::string> sweep_plot(std::string_view title, std::span<const SweepRow> rows,
                                   std::vector<std::string> axes);

}  // namespace nestor::report

// Text about the layers that `map --remainder` cuts in two, and the gain of each.
#pragma once

#include <string>

#include "mapper/cim/cut_layers.h"
#include "report/results/cim/result_file.h"

namespace nestor::report {

/// Returns a line for each cut layer, or a statement that no layer is cut. The text also says whether the
/// proof covers all cuts.
std::string cuts_text(const mapper::CutNetwork& network, const io::CimRun& run);

}  // namespace nestor::report

// Which layers `map --remainder` cuts in two, and what each gains.
#pragma once

#include <string>

#include "mapper/cim/cut_layers.h"
#include "report/results/cim/result_file.h"

namespace nestor::report {

/// A sentence a cut layer, or that none is cut; whether that is proved over all cuts.
std::string cuts_text(const mapper::CutNetwork& network, const io::RunResult& run);

}  // namespace nestor::report

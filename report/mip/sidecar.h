// MODEL.json, the file beside an exported model, "nestor.model/1" (docs/formats.md, "Model"): what was
// exported, and what every column means. Everything that `nestor import` needs to build the same model again.
#pragma once

#include <string>
#include <string_view>

#include "io/checked_reader.h"
#include "io/files.h"
#include "model/loopnest/factor_set.h"
#include "model/loopnest/mip/program.h"
#include "model/workload/named_machine.h"
#include "report/results/result_parts.h"

namespace nestor::report {

inline constexpr std::string_view model_schema = "nestor.model/1";

/// One entry per column, in the order of the model.
io::Json columns_to_json(const mip::Program& program, const HierarchyNames& names);

/// Per dimension above 1, the factors that its bound is built from; and read back, where their product is the
/// bound.
io::Json factors_to_json(const FactorSets& factors);
FactorSets read_factors(const io::Node& node, const LayerShape& layer, io::Reading& reading);

/// The first column that the file describes differently, as a sentence; empty if there is none. `columns` is
/// a list.
std::string differing_column(const io::Json& columns, const io::Node& file);

}  // namespace nestor::report

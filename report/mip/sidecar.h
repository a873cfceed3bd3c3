// MODEL.json, the file beside an exported model, "nestor.model/2" (docs/formats.md, "Model"). It describes
// the exported problem and the meaning of every column. `nestor import` rebuilds the model from this file
// alone.
#pragma once

#include <string>
#include <string_view>

#include "io/checked_reader.h"
#include "io/files.h"
#include "model/loopnest/factor_set.h"
#include "model/mip/program.h"
#include "model/workload/named_machine.h"
#include "report/results/result_parts.h"

namespace nestor::report {

inline constexpr std::string_view model_schema = "nestor.model/2";

/// Returns one entry per column, in the order of the model.
io::Json columns_to_json(const mip::Program& program, const HierarchyNames& names);

/// Write and read, for each dimension above 1, the factors of its bound. The product of the factors is the
/// bound.
io::Json factors_to_json(const FactorSets& factors);
FactorSets read_factors(const io::Node& node, const LayerShape& layer, io::Reading& reading);

/// Returns a sentence about the first column that the file describes differently, or an empty string.
/// `columns` is a list.
std::string differing_column(const io::Json& columns, const io::Node& file);

}  // namespace nestor::report

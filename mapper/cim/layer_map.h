// Types of the mapper's result for one layer of the cim space.
#pragma once

#include "mapper/loopnest/layer_map.h"
#include "model/cim/evaluate.h"
#include "model/cim/search/admission.h"

namespace nestor::mapper {

using MappedCimLayer = MappedNest<Mapping, cim::CimEvaluation>;
using CimLayerMap = NestMap<MappedCimLayer>;

}  // namespace nestor::mapper

// Mapping of many layers under one bypass table (fix_bypass): the memories in which every operand is stored
// are chosen once, for the sum over all shapes of layers, each times its repeat (docs/models/pim.md, section
// 7.5).
#pragma once

#include <span>

#include "mapper/pim/map_layer.h"
#include "model/workload/unique_shapes.h"

namespace nestor::mapper::pim {

struct NetworkMap {
  std::vector<PimLayerMap> shapes;  ///< empty if no table suits all layers, or none was found in time
  nestor::pim::StoredPairs table{};
  Status status = Status::optimal;
  double bound = 0;            ///< bound on the sum over shapes, each times its repeat
  std::uint64_t tables = 0;    ///< number considered
  std::uint64_t searches = 0;  ///< searches of one layer under one table
  Fault fault = Fault::none;   ///< first fault of any search
};

/// Returns the proved best table for the sum over all layers.
NetworkMap map_with_one_table(std::span<const Layer> layers, std::span<const UniqueShape> shapes,
                              const nestor::pim::PimMachine& machine, const PimRequest& request,
                              const Resources& resources);

}  // namespace nestor::mapper::pim

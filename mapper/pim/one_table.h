// Mapping of many layers under one bypass table (fix_bypass): the memories that store each operand are the
// same for all layers. The table minimises the sum of the costs of all layer shapes, each multiplied by its
// repeat count (docs/models/pim.md, section 7.5).
#pragma once

#include <span>

#include "mapper/pim/map_layer.h"
#include "model/workload/unique_shapes.h"

namespace nestor::mapper::pim {

struct NetworkMap {
  /// Result of each layer shape under `table`. Empty if no table suits all layers or none was found within
  /// the limits.
  std::vector<PimLayerMap> shapes;
  nestor::pim::StoredPairs table{};
  Status status = Status::optimal;
  double bound = 0;            ///< lower bound on the least sum of costs over all tables
  std::uint64_t tables = 0;    ///< number of tables considered
  std::uint64_t searches = 0;  ///< number of searches of one layer under one table
  Fault fault = Fault::none;   ///< first fault of any search
};

/// Returns the table with the least sum, with the best mapping of each shape under it.
NetworkMap map_with_one_table(std::span<const Layer> layers, std::span<const UniqueShape> shapes,
                              const nestor::pim::PimMachine& machine, const PimRequest& request,
                              const Resources& resources);

}  // namespace nestor::mapper::pim

// Maps the layers of a network. Layers of one shape are solved once; shapes are solved side by side on the
// executor, the hardest first, and each search uses the threads that are left. Neither changes any result.
#pragma once

#include <optional>
#include <span>

#include "mapper/cim/map_layer.h"
#include "model/workload/unique_shapes.h"

namespace nestor::mapper {

/// Called from worker threads, one call at a time.
class NetworkObserver {
 public:
  NetworkObserver() = default;
  NetworkObserver(const NetworkObserver&) = delete;
  NetworkObserver& operator=(const NetworkObserver&) = delete;
  virtual ~NetworkObserver() = default;
  virtual void progressed(std::size_t shape, const LayerProgress& progress) = 0;
  virtual void finished(std::size_t shape, const LayerMap& map) = 0;
  /// As those of LayerObserver. Calls for different shapes may come at the same time.
  virtual bool needs_proof() const { return false; }
  virtual void kept(std::size_t /*shape*/, const KeptLabels& /*labels*/) {}
};

/// One result per entry of `shapes`. All layers passed admit(). What is `known` of a shape already, if
/// anything, is its result, reported as finished before the others are searched.
std::vector<LayerMap> map_network(std::span<const Layer> layers, std::span<const UniqueShape> shapes,
                                  const Architecture& machine, const Request& request,
                                  const Resources& resources, NetworkObserver* observer = nullptr,
                                  std::vector<std::optional<LayerMap>> known = {});

}  // namespace nestor::mapper

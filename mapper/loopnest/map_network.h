// Mapper of the layers of a network, for any loop-nest space. Layers of the same shape are solved once.
// Shapes are solved in parallel on the executor, hardest first, and each search uses idle threads. The
// parallelism does not affect any result.
#pragma once

#include <algorithm>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "mapper/loopnest/resources.h"
#include "model/loopnest/factor_set.h"
#include "model/loopnest/layer.h"
#include "model/workload/unique_shapes.h"
#include "solver/engine/observer.h"

namespace nestor::mapper {

/// Observer of a network's searches. Worker threads call `finished` and `round_ended` one at a time, and the
/// other functions concurrently.
template <typename Map>
class NetworkObserver {
 public:
  NetworkObserver() = default;
  NetworkObserver(const NetworkObserver&) = delete;
  NetworkObserver& operator=(const NetworkObserver&) = delete;
  virtual ~NetworkObserver() = default;
  virtual void finished(std::size_t shape, const Map& map) = 0;
  /// This function and the following ones are as in EngineObserver, with the index of the shape.
  virtual void round_ended(std::size_t shape, const EngineProgress& progress) = 0;
  virtual bool needs_labels() const { return false; }
  virtual void branch_left(std::size_t /*shape*/, const KeptLabels& /*kept*/) {}
  virtual StateKeeper* states(std::size_t /*shape*/) { return nullptr; }
};

/// Adapter that forwards the calls of a shape's search to the network's observer, with the index of the
/// shape.
template <typename Map>
class OneShape final : public EngineObserver {
 public:
  OneShape(NetworkObserver<Map>& observer, std::mutex& mutex, std::size_t shape)
      : observer_(observer), mutex_(mutex), shape_(shape) {}
  void round_ended(const EngineProgress& progress) override {
    const std::lock_guard lock(mutex_);
    observer_.round_ended(shape_, progress);
  }
  bool needs_labels() const override { return observer_.needs_labels(); }
  void branch_left(const KeptLabels& kept) override { observer_.branch_left(shape_, kept); }
  StateKeeper* states() override { return observer_.states(shape_); }

 private:
  NetworkObserver<Map>& observer_;
  std::mutex& mutex_;
  std::size_t shape_;
};

/// Returns the number of prime factors of all bounds. Search effort grows with this number.
inline int difficulty(const LayerShape& layer) {
  int factors = 0;
  for (const Int bound : layer.bounds) factors += prime_factors(bound).size();
  return factors;
}

/// Result type of map_layer() of a space.
template <typename Machine, typename Request>
using MapOf = decltype(map_layer(std::declval<const LayerShape&>(), std::declval<const Machine&>(),
                                 std::declval<const Request&>(), std::declval<const Resources&>(), nullptr));

/// Returns one result per entry of `shapes`. All layers must have passed admit().
template <typename Machine, typename Request>
std::vector<MapOf<Machine, Request>> map_network(
    std::span<const Layer> layers, std::span<const UniqueShape> shapes, const Machine& machine,
    const Request& request, const Resources& resources,
    NetworkObserver<MapOf<Machine, Request>>* observer = nullptr) {
  const auto shape_of = [&](std::size_t i) -> const LayerShape& { return layers[shapes[i].first].shape; };
  std::vector<MapOf<Machine, Request>> maps(shapes.size());
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < shapes.size(); ++i) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return difficulty(shape_of(a)) > difficulty(shape_of(b));
  });

  std::mutex mutex;
  resources.executor.run(order.size(), [&](std::size_t turn) {
    const std::size_t i = order[turn];
    if (observer == nullptr) {
      maps[i] = map_layer(shape_of(i), machine, request, resources, nullptr);
      return;
    }
    OneShape one(*observer, mutex, i);
    maps[i] = map_layer(shape_of(i), machine, request, resources, &one);
    const std::lock_guard lock(mutex);
    observer->finished(i, maps[i]);
  });
  return maps;
}

}  // namespace nestor::mapper

#include "mapper/cim/map_network.h"

#include <algorithm>
#include <mutex>

namespace nestor::mapper {
namespace {

// A search grows with the number of prime factors that it arranges.
int difficulty(const LayerShape& layer) {
  int factors = 0;
  for (const Int bound : layer.bounds) factors += prime_factors(bound).size();
  return factors;
}

// Lets one worker at a time speak, and adds which shape it speaks of.
class OneShape final : public LayerObserver {
 public:
  OneShape(NetworkObserver& observer, std::mutex& mutex, std::size_t shape)
      : observer_(observer), mutex_(mutex), shape_(shape) {}
  void progressed(const LayerProgress& progress) override {
    const std::lock_guard lock(mutex_);
    observer_.progressed(shape_, progress);
  }
  bool needs_proof() const override { return observer_.needs_proof(); }
  void kept(const KeptLabels& labels) override { observer_.kept(shape_, labels); }

 private:
  NetworkObserver& observer_;
  std::mutex& mutex_;
  std::size_t shape_;
};

}  // namespace

std::vector<LayerMap> map_network(std::span<const Layer> layers, std::span<const UniqueShape> shapes,
                                  const Architecture& machine, const Request& request,
                                  const Resources& resources, NetworkObserver* observer,
                                  std::vector<std::optional<LayerMap>> known) {
  const auto shape_of = [&](std::size_t i) -> const LayerShape& { return layers[shapes[i].first].shape; };
  std::vector<LayerMap> maps(shapes.size());
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    if (i >= known.size() || !known[i]) {
      order.push_back(i);
      continue;
    }
    maps[i] = std::move(*known[i]);
    if (observer != nullptr) observer->finished(i, maps[i]);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return difficulty(shape_of(a)) > difficulty(shape_of(b));
  });

  std::mutex mutex;
  resources.executor.run(order.size(), [&](std::size_t turn) {
    const std::size_t i = order[turn];
    if (observer == nullptr) {
      maps[i] = map_layer(shape_of(i), machine, request, resources);
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

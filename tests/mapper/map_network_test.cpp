// Tests of the distribution of a network's shapes to workers, on a space whose "search" only records its
// requests.
#include "mapper/loopnest/map_network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace nestor::toy {

struct ToyMachine {};
struct ToyRequest {
  std::vector<Int>* searched = nullptr;  ///< K of each layer in the order of the searches
};
struct Map {
  Int k = 0;
};

Map map_layer(const LayerShape& layer, const ToyMachine& /*machine*/, const ToyRequest& request,
              const mapper::Resources& /*resources*/, EngineObserver* observer) {
  if (request.searched != nullptr) request.searched->push_back(layer.bounds[index_of(Dim::K)]);
  if (observer != nullptr) {
    observer->round_ended({.incumbent = 1, .bound = 1, .work = 3});
    if (observer->needs_labels()) observer->branch_left({});
  }
  return {layer.bounds[index_of(Dim::K)]};
}

}  // namespace nestor::toy

namespace nestor::mapper::map_network_test {
namespace {

using ::testing::ElementsAre;

std::vector<Layer> layers_of(std::initializer_list<Int> channels) {
  std::vector<Layer> layers;
  for (const Int k : channels) {
    Layer layer;
    layer.shape.bounds.fill(1);
    layer.shape.bounds[index_of(Dim::K)] = k;
    layers.push_back(layer);
  }
  return layers;
}

class Diary final : public NetworkObserver<toy::Map> {
 public:
  void finished(std::size_t shape, const toy::Map& map) override {
    finished_[shape] += std::to_string(map.k) + ".";
  }
  void round_ended(std::size_t shape, const EngineProgress& progress) override {
    finished_[shape] += std::to_string(progress.work) + " ";
  }
  bool needs_labels() const override { return true; }
  void branch_left(std::size_t shape, const KeptLabels& /*kept*/) override { finished_[shape] += "left "; }

  const std::array<std::string, 3>& told() const { return finished_; }

 private:
  std::array<std::string, 3> finished_;  // only one worker writes the entry of a shape
};

TEST(MapNetwork, SolvesTheHardestShapeFirstAndEachOnce) {
  const auto layers = layers_of({7, 64, 12, 64});
  const auto shapes = unique_shapes(layers);
  ASSERT_TRUE(shapes);
  const auto executor = make_executor(ExecutorKind::serial, 1);
  MemoryBudget memory(1U << 20U);
  std::vector<Int> searched;
  const auto maps = map_network(layers, shapes->shapes, toy::ToyMachine(), toy::ToyRequest{&searched},
                                Resources{*executor, memory});
  EXPECT_THAT(searched, ElementsAre(64, 12, 7));
  ASSERT_EQ(maps.size(), 3U);
  for (std::size_t i = 0; i < layers.size(); ++i)
    EXPECT_EQ(maps[shapes->shape_of_layer[i]].k, layers[i].shape.bounds[index_of(Dim::K)]);
}

TEST(MapNetwork, NotifiesTheObserverOfEveryShape) {
  const auto layers = layers_of({7, 64, 12});
  const auto shapes = unique_shapes(layers);
  ASSERT_TRUE(shapes);
  for (const int threads : {1, 2, 4}) {
    const auto executor = make_executor(ExecutorKind::tbb, threads);
    MemoryBudget memory(1U << 20U);
    Diary diary;
    const auto maps = map_network(layers, shapes->shapes, toy::ToyMachine(), toy::ToyRequest{},
                                  Resources{*executor, memory}, &diary);
    EXPECT_EQ(maps[0].k, 7);
    EXPECT_EQ(maps[1].k, 64);
    EXPECT_EQ(maps[2].k, 12);
    EXPECT_THAT(diary.told(), ElementsAre("3 left 7.", "3 left 64.", "3 left 12."));
  }
}

}  // namespace
}  // namespace nestor::mapper::map_network_test

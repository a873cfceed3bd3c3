#include "support/pim_network_walks.h"

#include <algorithm>
#include <utility>

#include "io/layer_file.h"
#include "model/loopnest/factor_set.h"

namespace nestor::tests {
namespace {

Int divisor(Random& random, Int value) {
  std::vector<Int> divisors;
  for (Int d = 1; d <= value; ++d)
    if (value % d == 0) divisors.push_back(d);
  return divisors[random.below(divisors.size())];
}

}  // namespace

std::vector<LayerShape> network_layers() {
  std::vector<LayerShape> layers;
  for (const char* name : {"resnet50", "vgg16", "mobilenetv2", "bert-base-128"}) {
    const auto network = io::read_layers(name).value();
    for (const Layer& layer : network.layers) layers.push_back(layer.shape);
  }
  return layers;
}

NetworkWalk random_network_walk(Random& random, const LayerShape& layer, Int banks) {
  NetworkWalk made{.layer = layer, .walk = {}, .layout = {}};
  const Operand operand = all_operands[random.below(operand_count)];
  Extents inside;
  std::vector<std::pair<Dim, Int>> loops;
  for (const Dim dim : all_dims) {
    inside[index_of(dim)] = divisor(random, layer.bound(dim));
    const FactorSet left = prime_factors(layer.bound(dim) / inside[index_of(dim)]);
    for (const auto& factor : left.factors)
      for (int i = 0; i < factor.count; ++i) loops.emplace_back(dim, factor.value);
  }
  for (std::size_t i = loops.size(); i > 1; --i) std::swap(loops[i - 1], loops[random.below(i)]);
  pim::RowWalk& walk = made.walk;
  walk.operand = operand;
  walk.planes = pim::has_planes(layer, operand);
  walk.tile = pim::tile_box(layer, operand, inside);
  walk.row_elements = 1024;
  walk.banks = banks;
  made.accesses = operand == Operand::O ? 2 : 1;
  for (const Int side : walk.tile) made.accesses *= side;
  std::vector<pim::VisitLoop> innermost_first;
  for (const auto& [dim, count] : loops) {
    innermost_first.push_back(pim::visit_loop(layer, operand, dim, count, inside[index_of(dim)]));
    inside[index_of(dim)] *= count;
    made.accesses *= count;
  }
  // Canonical form: an innermost loop that only repeats visits is part of the tile.
  while (!innermost_first.empty() && innermost_first.front().coordinate == pim::VisitLoop::repeats) {
    made.accesses /= innermost_first.front().count;
    innermost_first.erase(innermost_first.begin());
  }
  for (std::size_t i = innermost_first.size(); i-- > 0;) walk.loops.push_back(innermost_first[i]);
  walk.size = pim::tile_box(layer, operand, layer.bounds);
  made.layout.kind = static_cast<pim::LayoutKind>(random.below(pim::layout_kind_count));
  if (operand == Operand::W && made.layout.kind == pim::LayoutKind::hwc)
    made.layout.kind = pim::LayoutKind::sequential;
  if (made.layout.kind == pim::LayoutKind::row_aligned && operand != Operand::W) {
    made.layout.block_height = divisor(random, walk.size[2]);
    made.layout.block_width = divisor(random, walk.size[3]);
  }
  return made;
}

}  // namespace nestor::tests

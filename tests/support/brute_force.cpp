#include "support/brute_force.h"

#include <algorithm>
#include <map>

#include "model/loopnest/rules/legality.h"

namespace nestor::testing {
namespace {

// Memory per loop for one operand, outermost loop first.
using Blocks = std::vector<std::uint8_t>;

class Enumerator {
 public:
  Enumerator(const LayerShape& layer, const Architecture& machine, std::uint64_t limit,
             const std::function<void(const Mapping&)>& visit)
      : layer_(layer), machine_(machine), limit_(limit), visit_(visit), left_(layer.bounds) {}

  bool run() {
    place_spatial(0, 0, 1);
    return tried_ <= limit_;
  }

 private:
  void place_spatial(std::size_t axis, std::size_t dim, Int product) {
    if (tried_ > limit_) return;
    if (axis == machine_.axes.size()) return place_loop();
    if (dim == dim_count) return place_spatial(axis + 1, 0, 1);
    const Axis& here = machine_.axes[axis];
    const Int most = here.dims.contains(static_cast<Dim>(dim)) ? here.size / product : 1;
    for (Int factor = 1; factor <= most && factor <= left_[dim]; ++factor) {
      if (left_[dim] % factor != 0) continue;
      left_[dim] /= factor;
      mapping_.spatial[axis][dim] = factor;
      place_spatial(axis, dim + 1, product * factor);
      left_[dim] *= factor;
    }
    mapping_.spatial[axis][dim] = 1;
  }

  void place_loop() {
    if (tried_ > limit_) return;
    if (left_ == unit_extents) return assign_blocks();
    for (std::size_t dim = 0; dim < dim_count; ++dim)
      for (Int factor = 2; factor <= left_[dim]; ++factor) {
        if (left_[dim] % factor != 0) continue;
        left_[dim] /= factor;
        mapping_.loops.push_back({.dim = static_cast<Dim>(dim), .factor = factor});
        place_loop();
        mapping_.loops.pop_back();
        left_[dim] *= factor;
      }
  }

  // All assignments whose memories never move outward and whose outer blocks end in a relevant loop.
  void list_blocks(Operand operand, std::size_t loop, Blocks& blocks, std::vector<Blocks>& all) const {
    if (loop == mapping_.loops.size()) {
      std::size_t inward = machine_.innermost(operand);
      for (std::size_t i = blocks.size(); i-- > 0;) {
        if (blocks[i] != inward && !layer_.is_relevant(mapping_.loops[i].dim, operand)) return;
        inward = blocks[i];
      }
      all.push_back(blocks);
      return;
    }
    for (std::size_t m = loop == 0 ? 0 : blocks[loop - 1]; m < machine_.memories.size(); ++m) {
      if (!machine_.memories[m].operands.contains(operand)) continue;
      blocks.push_back(static_cast<std::uint8_t>(m));
      list_blocks(operand, loop + 1, blocks, all);
      blocks.pop_back();
    }
  }

  void assign_blocks() {
    std::array<std::vector<Blocks>, operand_count> all;
    for (const Operand operand : all_operands) {
      Blocks blocks;
      list_blocks(operand, 0, blocks, all[index_of(operand)]);
    }
    for (const Blocks& i : all[0])
      for (const Blocks& w : all[1])
        for (const Blocks& o : all[2]) {
          for (std::size_t loop = 0; loop < mapping_.loops.size(); ++loop)
            mapping_.loops[loop].at = {i[loop], w[loop], o[loop]};
          choose_double_buffers();
          if (tried_ > limit_) return;
        }
  }

  void choose_double_buffers() {
    std::vector<std::pair<std::size_t, Operand>> pairs;
    for (std::size_t m = 0; m < machine_.memories.size(); ++m)
      for (const Operand operand : all_operands) {
        if (!machine_.memories[m].double_buffer || !machine_.memories[m].operands.contains(operand)) continue;
        bool used = m == machine_.innermost(operand);
        for (const Loop& loop : mapping_.loops) used |= loop.at[index_of(operand)] == m;
        if (used && m != machine_.home(operand)) pairs.emplace_back(m, operand);
      }
    for (std::size_t chosen = 0; chosen < (std::size_t{1} << pairs.size()); ++chosen) {
      mapping_.double_buffered = {};
      for (std::size_t i = 0; i < pairs.size(); ++i)
        if ((chosen >> i & 1U) != 0) mapping_.double_buffered[pairs[i].first].insert(pairs[i].second);
      if (++tried_ > limit_) return;
      const auto violation = find_violation(layer_, machine_, mapping_);
      if (!violation)
        visit_(mapping_);
      else if (chosen == 0)
        return;  // what does not fit single-buffered does not fit doubled either
    }
  }

  const LayerShape& layer_;
  const Architecture& machine_;
  std::uint64_t limit_;
  const std::function<void(const Mapping&)>& visit_;
  Extents left_;
  Mapping mapping_;
  std::uint64_t tried_ = 0;
};

}  // namespace

bool for_each_mapping(const LayerShape& layer, const Architecture& machine, std::uint64_t limit,
                      const std::function<void(const Mapping&)>& visit) {
  return Enumerator(layer, machine, limit, visit).run();
}

std::optional<std::vector<std::pair<Int, double>>> front_of_all(const LayerShape& layer,
                                                                const Architecture& machine,
                                                                cim::LatencyModel model,
                                                                std::uint64_t limit) {
  std::map<Int, double> least;  // energy per latency
  const bool complete = for_each_mapping(layer, machine, limit, [&](const Mapping& mapping) {
    const auto evaluation = cim::evaluate(layer, machine, mapping);
    const Int latency = evaluation.cycles(model);
    const double energy = evaluation.energy_pj + machine.leakage * static_cast<double>(latency);
    const auto [entry, added] = least.try_emplace(latency, energy);
    entry->second = std::min(entry->second, energy);
  });
  if (!complete) return std::nullopt;
  std::vector<std::pair<Int, double>> front;
  for (const auto& [latency, energy] : least)
    if (front.empty() || energy < front.back().second * (1 - 1e-9)) front.emplace_back(latency, energy);
  return front;
}

}  // namespace nestor::testing

#include "support/brute_force.h"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "model/loopnest/rules/legality.h"
#include "model/loopnest/rules/nest_tiles.h"

namespace nestor::tests {
namespace {

// Placement of one operand's loops, and the sizes of its tiles, which do not depend on the other operands.
struct Placed {
  std::vector<std::uint8_t> at;           // memory per loop, outermost loop first
  std::array<Int, max_memories> bits{};   // per memory, without double buffering; 0 for homes
  std::array<bool, max_memories> pair{};  // true if the buffer may be doubled, per memory
};

class Enumerator {
 public:
  Enumerator(const LayerShape& layer, const Architecture& machine, std::uint64_t limit,
             const std::function<void(const Mapping&)>* visit)
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

  // Lists all assignments of loops to memories in which memories never move outward and every block outside
  // the innermost memory ends in a relevant loop.
  void list_blocks(Operand operand, std::size_t loop, std::vector<Placed>& all) {
    const auto x = index_of(operand);
    if (loop == mapping_.loops.size()) {
      std::size_t inward = machine_.innermost(operand);
      for (std::size_t i = mapping_.loops.size(); i-- > 0;) {
        if (mapping_.loops[i].at[x] != inward && !layer_.is_relevant(mapping_.loops[i].dim, operand)) return;
        inward = mapping_.loops[i].at[x];
      }
      all.push_back(placed(operand));
      return;
    }
    for (std::size_t m = loop == 0 ? 0 : mapping_.loops[loop - 1].at[x]; m < machine_.memories.size(); ++m) {
      if (!machine_.memories[m].operands.contains(operand)) continue;
      mapping_.loops[loop].at[x] = static_cast<std::uint8_t>(m);
      list_blocks(operand, loop + 1, all);
    }
  }

  // Returns the placement of one operand in the current mapping, with the sizes of its tiles.
  Placed placed(Operand operand) const {
    Placed result;
    for (const Loop& loop : mapping_.loops) result.at.push_back(loop.at[index_of(operand)]);
    const NestTiles tiles(layer_, machine_, mapping_);
    for (std::size_t m = 0; m < machine_.memories.size(); ++m) {
      if (m == machine_.home(operand) || !tiles.used(m, operand)) continue;
      result.bits[m] = tiles.size_bits(m, operand);
      result.pair[m] = machine_.memories[m].double_buffer;
    }
    return result;
  }

  bool fits(const std::array<Int, max_memories>& bits) const {
    for (std::size_t m = 0; m < machine_.memories.size(); ++m)
      if (bits[m] > machine_.memories[m].capacity) return false;
    return true;
  }

  void assign_blocks() {
    std::array<std::vector<Placed>, operand_count> all;
    for (const Operand operand : all_operands) list_blocks(operand, 0, all[index_of(operand)]);
    for (const Placed& i : all[0])
      for (const Placed& w : all[1])
        for (const Placed& o : all[2]) {
          try_blocks({&i, &w, &o});
          if (tried_ > limit_) return;
        }
  }

  void try_blocks(const std::array<const Placed*, operand_count>& placed) {
    std::array<Int, max_memories> bits{};
    for (const Placed* one : placed)
      for (std::size_t m = 0; m < machine_.memories.size(); ++m) bits[m] += one->bits[m];
    const bool single = fits(bits);
    const bool sampled = visit_ != nullptr && tried_ % one_in == 0;
    if (!single && !sampled) {  // a mapping that does not fit single-buffered does not fit doubled either
      ++tried_;
      return;
    }
    for (std::size_t loop = 0; loop < mapping_.loops.size(); ++loop)
      for (std::size_t x = 0; x < operand_count; ++x) mapping_.loops[loop].at[x] = placed[x]->at[loop];
    choose_double_buffers(placed, bits);
  }

  void choose_double_buffers(const std::array<const Placed*, operand_count>& placed,
                             const std::array<Int, max_memories>& single) {
    std::vector<std::pair<std::size_t, Operand>> pairs;
    for (std::size_t m = 0; m < machine_.memories.size(); ++m)
      for (const Operand operand : all_operands)
        if (placed[index_of(operand)]->pair[m]) pairs.emplace_back(m, operand);
    if (visit_ == nullptr) {
      tried_ += std::uint64_t{1} << pairs.size();
      return;
    }
    for (std::size_t chosen = 0; chosen < (std::size_t{1} << pairs.size()); ++chosen) {
      auto bits = single;
      mapping_.double_buffered = {};
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        const auto [m, operand] = pairs[i];
        if ((chosen >> i & 1U) == 0) continue;
        mapping_.double_buffered[m].insert(operand);
        bits[m] += placed[index_of(operand)]->bits[m];
      }
      const bool legal = fits(bits);
      if (tried_ % one_in == 0) check(legal);
      if (++tried_ > limit_) return;
      if (legal)
        (*visit_)(mapping_);
      else if (chosen == 0)
        return;
    }
  }

  // Throws if find_violation() disagrees with the legality computed here.
  void check(bool legal) const {
    if (find_violation(layer_, machine_, mapping_).has_value() == legal)
      throw std::logic_error("brute force and find_violation() differ about a mapping");
  }

  static constexpr std::uint64_t one_in = 64;  // one mapping in this many is checked with find_violation()

  const LayerShape& layer_;
  const Architecture& machine_;
  std::uint64_t limit_;
  const std::function<void(const Mapping&)>* visit_;  // null: mappings are only counted
  Extents left_;
  Mapping mapping_;
  std::uint64_t tried_ = 0;
};

}  // namespace

bool has_at_most(std::uint64_t limit, const LayerShape& layer, const Architecture& machine) {
  return Enumerator(layer, machine, limit, nullptr).run();
}

bool for_each_mapping(const LayerShape& layer, const Architecture& machine, std::uint64_t limit,
                      const std::function<void(const Mapping&)>& visit) {
  // Counting first is much faster than visiting mappings and finding that there are too many.
  constexpr std::uint64_t none = ~std::uint64_t{0};
  if (limit != none && !has_at_most(limit, layer, machine)) return false;
  return Enumerator(layer, machine, none, &visit).run();
}

std::optional<std::vector<std::pair<Int, double>>> front_of_all(const LayerShape& layer,
                                                                const Architecture& machine,
                                                                cim::LatencyModel model,
                                                                std::uint64_t limit) {
  std::map<Int, double> least;  // least energy per latency
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

}  // namespace nestor::tests

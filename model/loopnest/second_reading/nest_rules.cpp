#include "model/loopnest/second_reading/nest_rules.h"

#include "model/loopnest/second_reading/sentence.h"

namespace nestor::verify {
namespace {

class Examiner {
 public:
  Examiner(const LayerShape& layer, const Hierarchy& machine, const PartNames& names, const Mapping& mapping)
      : layer_(layer), machine_(machine), names_(names), mapping_(mapping) {}

  std::vector<std::string> run() {
    check_factors();
    check_axes();
    check_blocks();
    if (!findings_.empty()) return findings_;  // the code below divides by the factors
    for (const Operand operand : all_operands) check_stations(operand);
    check_capacities();
    return findings_;
  }

 private:
  void report(std::string sentence) { findings_.push_back(std::move(sentence)); }

  /// Checks that temporal factors are at least 2, that the factors of every dimension divide its bound
  /// without remainder, and that their product is the bound.
  void check_factors() {
    for (const Dim dim : all_dims) {
      Int left = layer_.bound(dim);
      Int divisor = 1;
      const auto take = [&](Int factor) {
        if (divisor == 1 && factor >= 1 && left % factor == 0)
          left /= factor;
        else if (divisor == 1)
          divisor = factor;
      };
      for (const Extents& axis : mapping_.spatial) take(axis[index_of(dim)]);
      for (const Loop& loop : mapping_.loops) {
        if (loop.dim == dim && loop.factor < 2)
          report(sentence("a temporal loop over ", letter(dim), " has factor ", loop.factor, ", below 2"));
        if (loop.dim == dim) take(loop.factor);
      }
      if (divisor != 1)
        report(sentence("factor ", divisor, " of ", letter(dim), " does not divide the ", left,
                        " that remain of its bound ", layer_.bound(dim)));
      else if (left != 1)
        report(sentence("the factors of ", letter(dim), " leave ", left, " of its bound ", layer_.bound(dim),
                        " unmapped"));
    }
  }

  void check_axes() {
    for (std::size_t a = 0; a < max_axes; ++a) {
      Wide taken = 1;
      for (const Dim dim : all_dims) {
        const Int factor = mapping_.spatial[a][index_of(dim)];
        if (factor == 1) continue;
        if (a >= machine_.axes.size()) {
          report(sentence("a factor ", factor, " of ", letter(dim), " is on an axis that does not exist"));
          continue;
        }
        if (!machine_.axes[a].dims.contains(dim))
          report(sentence("axis ", axis_name(a), " does not take dimension ", letter(dim), ", found factor ",
                          factor));
        if (factor >= 1 && taken <= machine_.axes[a].size) taken *= factor;
      }
      if (a < machine_.axes.size() && taken > machine_.axes[a].size)
        report(sentence("axis ", axis_name(a), " has ", machine_.axes[a].size,
                        " lanes, but the factors need ", taken));
    }
  }

  void check_blocks() {
    for (const Operand operand : all_operands) {
      const std::size_t x = index_of(operand);
      std::size_t deepest = 0;
      for (std::size_t i = 0; i < mapping_.loops.size(); ++i) {
        const std::size_t m = mapping_.loops[i].at[x];
        if (m >= machine_.memories.size() || !machine_.memories[m].operands.contains(operand)) {
          report(sentence("loop ", i + 1, " puts ", letter(operand), " at ", memory_name(m),
                          ", which does not hold it"));
          return;
        }
        if (m < deepest)
          report(sentence("loop ", i + 1, " takes ", letter(operand), " outward, from ", memory_name(deepest),
                          " to ", memory_name(m)));
        deepest = m > deepest ? m : deepest;
      }
    }
  }

  void check_stations(Operand operand) {
    const Stations stations = stations_of(operand, machine_, mapping_);
    std::array<bool, max_memories> used{};
    for (const Station& station : stations) used[station.memory] = true;
    for (std::size_t s = 0; s + 1 < stations.size(); ++s) {
      const std::size_t block_end = stations[s + 1].loops_outside;
      if (block_end == stations[s].loops_outside) continue;
      const Loop& last = mapping_.loops[block_end - 1];
      if (!layer_.is_relevant(last.dim, operand))
        report(sentence("not canonical: the block of ", letter(operand), " at ",
                        memory_name(stations[s].memory), " ends with loop ", block_end, " over ",
                        letter(last.dim), ", which is irrelevant to it"));
    }
    for (std::size_t m = 0; m < max_memories; ++m) {
      if (!mapping_.double_buffered[m].contains(operand)) continue;
      if (m >= machine_.memories.size() || !machine_.memories[m].double_buffer)
        report(sentence(memory_name(m), " cannot double-buffer (", letter(operand), ")"));
      else if (!used[m])
        report(
            sentence(memory_name(m), " is double-buffered for ", letter(operand), ", which does not use it"));
      else if (m == stations[0].memory)
        report(sentence(memory_name(m), " is the home of ", letter(operand), " and cannot double-buffer it"));
    }
  }

  /// Checks (4.3) of docs/models/cim.md.
  void check_capacities() {
    std::array<Wide, max_memories> demand{};
    for (const Operand operand : all_operands) {
      const Stations stations = stations_of(operand, machine_, mapping_);
      for (std::size_t s = 1; s < stations.size(); ++s) {
        const Wide bits = stored_bits(operand, stations, s, layer_, machine_, mapping_);
        demand[stations[s].memory] += stations[s].doubled ? bits + bits : bits;
      }
    }
    for (std::size_t m = 0; m < machine_.memories.size(); ++m)
      if (demand[m] > machine_.memories[m].capacity)
        report(sentence(memory_name(m), " holds ", machine_.memories[m].capacity,
                        " bits, but the tiles need ", demand[m]));
  }

  std::string memory_name(std::size_t m) const {
    return m < names_.memories.size() ? names_.memories[m] : sentence("memory ", m);
  }
  std::string axis_name(std::size_t a) const { return a < names_.axes.size() ? names_.axes[a] : sentence(a); }

  const LayerShape& layer_;
  const Hierarchy& machine_;
  const PartNames& names_;
  const Mapping& mapping_;
  std::vector<std::string> findings_;
};

}  // namespace

std::vector<std::string> broken_nest_rules(const LayerShape& layer, const Hierarchy& machine,
                                           const PartNames& names, const Mapping& mapping) {
  return Examiner(layer, machine, names, mapping).run();
}

}  // namespace nestor::verify

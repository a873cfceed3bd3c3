#include "model/loopnest/second_reading/sentence.h"
#include "model/pim/second_reading/even_blocks.h"
#include "model/pim/second_reading/reading.h"

namespace nestor::pim_reading {
namespace {

using pim::Layout;
using pim::LayoutKind;
using verify::sentence;

class Examiner {
 public:
  Examiner(const LayerShape& layer, const pim::PimMachine& machine, const PartNames& names,
           const pim::PimMapping& mapping)
      : layer_(layer), machine_(machine), names_(names), mapping_(mapping) {}

  std::vector<std::string> run() {
    check_layer();
    check_memories();
    if (!findings_.empty()) return findings_;  // later checks require homes and multiply bounds
    check_rows();
    check_size();
    check_stored();
    if (!findings_.empty()) return findings_;
    findings_ = verify::broken_nest_rules(layer_, machine_, names_, mapping_.nest, mapping_.stored);
    if (!findings_.empty()) return findings_;
    check_axes();
    if (machine_.blocks == pim::BlockRule::even) check_levels();
    for (const Operand operand : all_operands)
      if (home(operand).row > 0) check_layout(operand);
    return findings_;
  }

 private:
  void report(std::string sentence) { findings_.push_back(std::move(sentence)); }

  void check_layer() {
    const auto& bits = layer_.bits;
    bool positive = bits.input > 0 && bits.weight > 0 && bits.output > 0 && bits.partial_sum > 0;
    for (const Int bound : layer_.bounds) positive = positive && bound > 0;
    for (const std::size_t direction : {0U, 1U})
      positive = positive && layer_.stride[direction] > 0 && layer_.dilation[direction] > 0;
    if (!positive) report("the layer has a bound, stride, dilation or width below 1");
  }

  /// Checks that every operand has a memory below its home, and that no memory allows double buffering, since
  /// transfers overlap anyway.
  void check_memories() {
    for (const Operand operand : all_operands) {
      int memories = 0;
      for (const Memory& memory : machine_.memories) memories += memory.operands.contains(operand) ? 1 : 0;
      if (memories < 2)
        report(sentence("operand ", letter(operand), " has ", memories, " memories, expected at least 2"));
    }
    for (std::size_t m = 0; m < machine_.memories.size(); ++m)
      if (machine_.memories[m].double_buffer)
        report(sentence(name(m), " has double_buffer, which machines of this kind do not support"));
  }

  /// Checks that at most one memory has rows. This memory must be the home of all its operands, and each of
  /// its rows must hold an element of each operand. Only axes named vaults or units may come before it.
  void check_rows() {
    int with_rows = 0;
    for (std::size_t m = 0; m < machine_.memories.size(); ++m) {
      const Memory& memory = machine_.memories[m];
      if (memory.row == 0) continue;
      if (++with_rows > 1) report(sentence(name(m), " has rows, but another memory already has rows"));
      for (std::size_t a = 0; a < memory.axes_above; ++a)
        if (a >= names_.axes.size() || (names_.axes[a] != "vaults" && names_.axes[a] != "units"))
          report(sentence(name(m), " has rows inside axis ", a + 1, ", which is neither vaults nor units"));
      for (const Operand operand : all_operands) {
        if (!memory.operands.contains(operand)) continue;
        if (&home(operand) != &memory)
          report(sentence(name(m), " has rows, but is not the home of ", letter(operand)));
        const auto& bits = layer_.bits;
        const Wide widest = operand == Operand::I   ? bits.input
                            : operand == Operand::W ? bits.weight
                                                    : verify::larger(bits.output, bits.partial_sum);
        if (memory.row < widest)
          report(sentence("a row of ", name(m), " has ", memory.row, " bits, an element of ", letter(operand),
                          " has ", widest));
      }
    }
  }

  /// Checks eq. (1.1): no figure exceeds 64 bits.
  void check_size() {
    long double most = 16;
    for (const Int bound : layer_.bounds) most *= static_cast<long double>(bound);
    for (const std::size_t direction : {0U, 1U})
      most *= static_cast<long double>(layer_.stride[direction]) +
              static_cast<long double>(layer_.dilation[direction]);
    const auto& bits = layer_.bits;
    Wide longest = verify::larger(verify::larger(bits.input, bits.weight),
                                  verify::larger(bits.output, bits.partial_sum));
    Wide activation = 0;
    long double latencies = static_cast<long double>(machine_.reduction_latency);
    for (const Memory& memory : machine_.memories) {
      longest = verify::larger(longest, memory.row);
      activation = verify::larger(activation, memory.activation_cycles);
      latencies += static_cast<long double>(memory.access_latency);
    }
    most *=
        static_cast<long double>(longest) * static_cast<long double>(machine_.mvm_cycles + activation + 4);
    if (most + latencies >= 0x1p62L)
      report("the layer is too large on this machine: its figures might not fit 64 bits");
  }

  void check_stored() {
    for (std::size_t m = 0; m < max_memories; ++m)
      for (const Operand operand : all_operands)
        if (mapping_.stored[m].contains(operand) &&
            (m >= machine_.memories.size() || !machine_.memories[m].operands.contains(operand)))
          report(sentence(letter(operand), " is stored in ", name(m), ", which does not hold it"));
  }

  /// Checks that a dimension is on at most one of the dim_once axes.
  void check_axes() {
    for (const Dim dim : all_dims) {
      std::string found;
      int axes = 0;
      for (std::size_t a = 0; a < machine_.axes.size(); ++a) {
        if ((machine_.dim_once >> a) % 2 == 0 || mapping_.nest.spatial[a][index_of(dim)] == 1) continue;
        found += sentence(axes == 0 ? "" : " and ", a < names_.axes.size() ? names_.axes[a] : sentence(a));
        ++axes;
      }
      if (axes > 1)
        report(sentence("dimension ", letter(dim), " has factors on ", found,
                        ", but only one of these axes may have one"));
    }
  }

  void check_levels() {
    if (const auto m = memory_without_level(layer_, machine_, mapping_.nest, mapping_.stored))
      report(sentence("blocks are uneven: no level of ", name(*m),
                      ", given the memories of the outer loops, yields the memories of its operands"));
  }

  /// Checks that the layout of W is not hwc, and that blocks divide the plane of I or O in one DRAM.
  void check_layout(Operand operand) {
    const Layout& layout = mapping_.layouts[index_of(operand)];
    if (layout.kind == LayoutKind::hwc && operand == Operand::W)
      report("layout of W is hwc, but W has no height, width and channels");
    if (layout.kind != LayoutKind::row_aligned || operand == Operand::W) return;
    const auto extents = verify::remainder(layer_, mapping_.nest, 0, home(operand).axes_above);
    const auto side = [&](Dim out, Dim taps, std::size_t direction) {
      if (operand == Operand::O) return extents[index_of(out)];
      return (extents[index_of(out)] - 1) * layer_.stride[direction] +
             (extents[index_of(taps)] - 1) * layer_.dilation[direction] + 1;
    };
    check_block(operand, "height", layout.block_height, side(Dim::P, Dim::R, 0));
    check_block(operand, "width", layout.block_width, side(Dim::Q, Dim::S, 1));
  }

  void check_block(Operand operand, const char* what, Int block, Wide plane) {
    if (block < 1 || plane % block != 0)
      report(sentence("layout of ", letter(operand), ": blocks have a ", what, " of ", block,
                      ", the plane of ", plane));
  }

  const Memory& home(Operand operand) const {
    for (const Memory& memory : machine_.memories)
      if (memory.operands.contains(operand)) return memory;
    return machine_.memories[0];
  }
  std::string name(std::size_t m) const {
    return m < names_.memories.size() ? names_.memories[m] : sentence("memory ", m);
  }

  const LayerShape& layer_;
  const pim::PimMachine& machine_;
  const PartNames& names_;
  const pim::PimMapping& mapping_;
  std::vector<std::string> findings_;
};

}  // namespace

std::vector<std::string> broken_rules(const LayerShape& layer, const pim::PimMachine& machine,
                                      const PartNames& names, const pim::PimMapping& mapping) {
  return Examiner(layer, machine, names, mapping).run();
}

std::vector<std::string> broken_table(const pim::PimMachine& machine, const PartNames& names,
                                      const pim::PimMapping& mapping, const pim::StoredPairs& table) {
  std::vector<std::string> findings;
  for (const Operand operand : all_operands) {
    const auto stations = verify::stations_of(operand, machine, mapping.nest, mapping.stored);
    std::array<bool, max_memories> used{};
    for (const verify::Station& station : stations) used[station.memory] = true;
    for (std::size_t m = stations[0].memory + 1; m < stations[stations.size() - 1].memory; ++m)
      if (used[m] != table[m].contains(operand))
        findings.push_back(sentence(m < names.memories.size() ? names.memories[m] : sentence("memory ", m),
                                    used[m] ? " is used for " : " is not used for ", letter(operand),
                                    ", which contradicts the bypass table"));
  }
  return findings;
}

}  // namespace nestor::pim_reading

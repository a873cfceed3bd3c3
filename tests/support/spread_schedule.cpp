#include "support/spread_schedule.h"

#include <algorithm>

namespace nestor::tests {
namespace {

using namespace nestor::simd;

constexpr std::uint32_t scratch_rows = 3;

class Spreader {
 public:
  Spreader(const Netlist& netlist, std::uint32_t rows) : netlist_(netlist) {
    schedule_.rows = rows;
    const auto inputs = static_cast<std::uint32_t>(netlist.input_names.size());
    first_array_ = (inputs + rows - 1) / rows;
  }

  Schedule run() {
    for (auto node = netlist_.first_gate(); node < netlist_.node_count(); ++node) compute(node);
    for (const auto& output : netlist_.outputs) schedule_.outputs.push_back(place_of(output.signal));
    return std::move(schedule_);
  }

 private:
  Place home(NodeIndex node) const {
    if (!netlist_.is_gate(node)) return input_place(node - 1, schedule_.rows);
    const auto index = node - netlist_.first_gate();
    const auto homes = schedule_.rows - scratch_rows;
    return {first_array_ + index / homes, scratch_rows + index % homes};
  }

  void compute(NodeIndex node) {
    const auto to = home(node);
    if (to.array != scratch_array_) scratch_ = {};
    scratch_array_ = to.array;
    const auto& gate = netlist_.gate(node);
    std::array<SimdOperand, 3> operands;
    for (std::size_t i = 0; i < 3; ++i) {
      const auto fanin = gate.fanin[i];
      operands[i] = fanin.is_constant()
                        ? SimdOperand::constant(fanin.complemented())
                        : SimdOperand::stored(row_of(fanin.node(), gate), fanin.complemented());
    }
    schedule_.instructions.push_back(Instruction::compute(gate.kind, to, operands, node));
  }

  // Returns the row of the current array that holds `value`, after copying the value there if necessary.
  // Rows that hold other fanins of `reader`, the gate being scheduled, are not overwritten.
  std::uint32_t row_of(NodeIndex value, const Gate& reader) {
    const auto place = home(value);
    if (place.array == scratch_array_) return place.row;
    for (std::uint32_t row = 0; row < scratch_rows; ++row) {
      if (scratch_[row] == value) return row;
    }
    const auto is_read = [&](NodeIndex held) {
      return held != 0 && std::any_of(reader.fanin.begin(), reader.fanin.end(),
                                      [&](Signal fanin) { return fanin.node() == held; });
    };
    std::uint32_t row = 0;
    while (is_read(scratch_[row])) ++row;
    scratch_[row] = value;
    schedule_.instructions.push_back(
        Instruction::copy(place, {scratch_array_, row}, value, CopyCause::fanin));
    return row;
  }

  OutputPlace place_of(Signal signal) const {
    OutputPlace place;
    place.inverted = signal.complemented();
    if (signal.is_constant()) {
      place.kind = OutputPlace::Kind::constant;
    } else if (!netlist_.is_gate(signal.node())) {
      place.kind = OutputPlace::Kind::input;
      place.input = signal.node() - 1;
    } else {
      place.place = home(signal.node());
    }
    return place;
  }

  const Netlist& netlist_;
  Schedule schedule_;
  std::uint32_t first_array_ = 0;
  std::uint32_t scratch_array_ = 0;
  std::array<NodeIndex, scratch_rows> scratch_{};  ///< value in each scratch row; 0 if none
};

}  // namespace

Schedule spread_schedule(const Netlist& netlist, std::uint32_t rows) { return Spreader(netlist, rows).run(); }

}  // namespace nestor::tests

// A recorder builds a schedule from the actions of a machine (MASIM's or a baseline's) while the machine
// replays a sequence of choices. It records nothing during a search.
#pragma once

#include <span>

#include "model/simd/emit.h"
#include "model/simd/stop.h"

namespace nestor::simd {

class Recorder {
 public:
  explicit Recorder(const ScheduleProblem& problem) : problem_(&problem) {}

  bool active() const { return netlist_ != nullptr; }

  void copy(Place from, Place to, Value value, CopyCause cause) {
    if (active())
      schedule_.instructions.push_back(Instruction::copy(from, to, problem_->node_of(value), cause));
  }
  /// Returns the operands of a gate. `row_of(value)` is the row of a value in the gate's array. The function
  /// must be called before a row is assigned to the result, which may reuse an operand's row.
  template <typename RowOf>
  std::array<SimdOperand, 3> operands(std::uint32_t gate, RowOf&& row_of) const {
    std::array<SimdOperand, 3> result{};
    if (!active()) return result;
    for (std::size_t i = 0; i < 3; ++i) {
      const Signal signal = netlist_->gates[gate].fanin[i];
      result[i] = signal.is_constant()
                      ? SimdOperand::constant(signal.complemented())
                      : SimdOperand::stored(row_of(Value{signal.node() - 1}), signal.complemented());
    }
    return result;
  }
  void compute(std::uint32_t gate, Place to, const std::array<SimdOperand, 3>& operands) {
    if (!active()) return;
    const NodeIndex node = problem_->node_of(problem_->value_of_gate(gate));
    schedule_.instructions.push_back(Instruction::compute(netlist_->gates[gate].kind, to, operands, node));
  }

  /// Replays a complete sequence on the machine that owns this recorder. Returns a schedule without
  /// instructions if it was stopped.
  template <typename Machine, typename Choice, typename PlaceOf>
  Schedule record(Machine& machine, const Netlist& netlist, std::span<const Choice> sequence,
                  PlaceOf&& place_of, const Stop& stop = {}) {
    constexpr std::size_t stretch = 4096;
    schedule_ = {};
    schedule_.rows = problem_->rows();
    schedule_.array_limit = problem_->array_limit();
    netlist_ = &netlist;
    machine.reset();
    for (std::size_t i = 0; i < sequence.size(); ++i) {
      if (i % stretch == 0 && should_stop(stop)) {
        netlist_ = nullptr;
        return {};
      }
      machine.apply(sequence[i]);
    }
    netlist_ = nullptr;
    schedule_.outputs = locate_outputs(netlist, place_of);
    return std::move(schedule_);
  }

 private:
  const ScheduleProblem* problem_;
  const Netlist* netlist_ = nullptr;  ///< set only while recording
  Schedule schedule_;
};

}  // namespace nestor::simd

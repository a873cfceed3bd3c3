#include "model/simd/second_reading/schedule_replay.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/tables/hash_table.h"

namespace nestor::simd {
namespace {

constexpr NodeIndex nothing = ~NodeIndex{0};

std::string text_of(Place place) { return fmt::format("array {} row {}", place.array, place.row); }

class Replayer {
 public:
  Replayer(const Netlist& netlist, const Schedule& schedule) : netlist_(netlist), schedule_(schedule) {}

  Replay run();

 private:
  void place_inputs();
  bool check_machine();
  bool step(const Instruction& instruction);
  bool step_copy(const Instruction& instruction);
  bool step_compute(const Instruction& instruction);
  bool match_fanins(const Instruction& instruction, const Gate& gate);
  bool check_output(std::size_t index);
  bool check_counts();

  template <typename... Values>
  bool fail(fmt::format_string<Values...> form, Values&&... values) {
    result_.fault = ScheduleFault{part_, index_, fmt::format(form, std::forward<Values>(values)...)};
    return false;
  }
  bool check_place(Place place, const char* role);
  Slot slot_of(Place place);
  /// True if a value may be written to the place, that is, never for the row of a primary input
  /// (docs/models/simd.md (2.1)).
  bool check_target(Place place);
  std::string name(NodeIndex node) const;
  std::string name(Signal signal) const;

  const Netlist& netlist_;
  const Schedule& schedule_;
  Replay result_;
  ScheduleFault::Part part_ = ScheduleFault::Part::whole;
  std::size_t index_ = 0;
  HashMap<std::uint64_t, Slot> slots_;
  std::vector<NodeIndex> holds_;  ///< by slot: the node whose value it stores
  std::vector<std::uint32_t> times_computed_;
};

std::string Replayer::name(NodeIndex node) const {
  if (node == nothing) return "nothing";
  if (node == 0) return "0";
  if (!netlist_.is_gate(node)) return fmt::format("'{}'", netlist_.input_names[node - 1]);
  return fmt::format("'{}'", netlist_.gate_names[node - netlist_.first_gate()]);
}

std::string Replayer::name(Signal signal) const {
  if (signal.is_constant()) return signal.complemented() ? "1" : "0";
  return fmt::format("{}{}", signal.complemented() ? "~" : "", name(signal.node()));
}

bool Replayer::check_place(Place place, const char* role) {
  if (place.row >= schedule_.rows) {
    return fail("{} row {}, but arrays have {} rows, numbered from 0", role, place.row, schedule_.rows);
  }
  if (schedule_.array_limit != 0 && place.array >= schedule_.array_limit) {
    return fail("{} array {}, but the number of arrays is {}, numbered from 0", role, place.array,
                schedule_.array_limit);
  }
  return true;
}

Slot Replayer::slot_of(Place place) {
  const auto key = (std::uint64_t{place.array} << 32U) | place.row;
  const auto [entry, is_new] = slots_.try_emplace(key, static_cast<Slot>(holds_.size()));
  if (is_new) holds_.push_back(nothing);
  return entry->second;
}

bool Replayer::check_machine() {
  const auto inputs = netlist_.input_names.size();
  if (schedule_.rows == 0 || schedule_.rows > row_limit) {
    return fail("the arrays have {} rows", schedule_.rows);
  }
  const auto arrays_for_inputs = (inputs + schedule_.rows - 1) / schedule_.rows;
  if (schedule_.array_limit != 0 && arrays_for_inputs > schedule_.array_limit) {
    return fail("the inputs fill {} arrays, but the number of arrays is {}", arrays_for_inputs,
                schedule_.array_limit);
  }
  return true;
}

void Replayer::place_inputs() {
  holds_.assign(1, 0);
  for (std::uint32_t i = 0; i < netlist_.input_names.size(); ++i) {
    holds_[slot_of(input_place(i, schedule_.rows))] = i + 1;
  }
}

bool Replayer::check_target(Place place) {
  if (!check_place(place, "writes")) return false;
  const auto slot = slot_of(place);
  if (slot <= netlist_.input_names.size()) {
    return fail("overwrites input {} in {}", name(static_cast<NodeIndex>(slot)), text_of(place));
  }
  return true;
}

// Rule (2.3).
bool Replayer::step_copy(const Instruction& instruction) {
  if (!check_place(instruction.from, "copies from")) return false;
  if (!check_target(instruction.to)) return false;
  if (instruction.from.array == instruction.to.array) {
    return fail("copies within array {}, but a copy must go to another array", instruction.to.array);
  }
  const auto from = slot_of(instruction.from);
  if (holds_[from] == nothing) return fail("copies {}, which holds nothing", text_of(instruction.from));
  const auto to = slot_of(instruction.to);
  holds_[to] = holds_[from];
  result_.program.steps.push_back({InstructionKind::copy, to, {ReplayOperand(from, false)}});
  ++result_.figures.copies;
  result_.figures.arrays_passed += arrays_between(instruction.from.array, instruction.to.array);
  return true;
}

// Both operations are symmetric, so the operands must match the fanins in any order.
bool Replayer::match_fanins(const Instruction& instruction, const Gate& gate) {
  std::array<bool, 3> used{};
  ReplayStep step{instruction.kind, 0, {}};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto operand = instruction.operand[i];
    Signal read_signal(0, operand.inverted());
    if (!operand.is_constant()) {
      const Place place{instruction.to.array, operand.row()};
      if (!check_place(place, "reads")) return false;
      const auto slot = slot_of(place);
      if (holds_[slot] == nothing) return fail("reads {}, which holds nothing", text_of(place));
      read_signal = Signal(holds_[slot], operand.inverted());
      step.operand[i] = ReplayOperand(slot, operand.inverted());
    } else {
      step.operand[i] = ReplayOperand(0, operand.inverted());
    }
    std::size_t match = 0;
    while (match < 3 && (used[match] || gate.fanin[match] != read_signal)) ++match;
    if (match == 3) {
      std::string fanins;
      for (const auto fanin : gate.fanin)
        fanins += fmt::format("{}{}", fanins.empty() ? "" : ", ", name(fanin));
      return fail("computes {} from {}, but its fanins are {}", name(instruction.node), name(read_signal),
                  fanins);
    }
    used[match] = true;
  }
  result_.program.steps.push_back(step);
  return true;
}

// Rule (2.2).
bool Replayer::step_compute(const Instruction& instruction) {
  if (instruction.node >= netlist_.node_count() || !netlist_.is_gate(instruction.node)) {
    return fail("computes node {}, which is not a gate of the netlist", instruction.node);
  }
  const auto& gate = netlist_.gate(instruction.node);
  const bool is_xor = instruction.kind == InstructionKind::xor3;
  if (is_xor != (gate.kind == GateKind::xor3)) {
    return fail("computes {} as {}, expected {}", name(instruction.node), is_xor ? "xor3" : "maj3",
                is_xor ? "maj3" : "xor3");
  }
  if (!match_fanins(instruction, gate)) return false;
  if (!check_target(instruction.to)) return false;
  const auto to = slot_of(instruction.to);
  result_.program.steps.back().to = to;
  holds_[to] = instruction.node;
  auto& times = times_computed_[instruction.node - netlist_.first_gate()];
  if (++times > 1 && !schedule_.recompute) return fail("computes {} a second time", name(instruction.node));
  ++result_.figures.computes;
  return true;
}

// Rule (2.4).
bool Replayer::check_output(std::size_t index) {
  const auto& claimed = schedule_.outputs[index];
  const auto& output = netlist_.outputs[index];
  const auto wanted = output.signal;
  Signal found;
  ReplayOperand operand;
  switch (claimed.kind) {
    case OutputPlace::Kind::constant:
      found = Signal(0, claimed.inverted);
      operand = ReplayOperand(0, claimed.inverted);
      break;
    case OutputPlace::Kind::input:
      if (claimed.input >= netlist_.input_names.size())
        return fail("names an input that the netlist does not have");
      found = Signal(claimed.input + 1, claimed.inverted);
      operand = ReplayOperand(claimed.input + 1, claimed.inverted);
      break;
    case OutputPlace::Kind::stored: {
      if (!check_place(claimed.place, "names")) return false;
      const auto slot = slot_of(claimed.place);
      if (holds_[slot] == nothing) {
        return fail("output '{}' refers to {}, which holds nothing", output.name, text_of(claimed.place));
      }
      found = Signal(holds_[slot], claimed.inverted);
      operand = ReplayOperand(slot, claimed.inverted);
      break;
    }
  }
  if (found != wanted) {
    const auto where = claimed.kind == OutputPlace::Kind::stored
                           ? fmt::format(" ({})", text_of(claimed.place))
                           : std::string();
    return fail("output '{}' must be {}, found {}{}", output.name, name(wanted), name(found), where);
  }
  result_.program.outputs.push_back(operand);
  return true;
}

bool Replayer::check_counts() {
  for (std::size_t i = 0; i < times_computed_.size(); ++i) {
    if (times_computed_[i] == 0) return fail("never computes '{}'", netlist_.gate_names[i]);
  }
  if (schedule_.outputs.size() != netlist_.outputs.size()) {
    return fail("names {} outputs, but the netlist has {}", schedule_.outputs.size(),
                netlist_.outputs.size());
  }
  return true;
}

Replay Replayer::run() {
  result_.figures.nodes = netlist_.gates.size();
  if (!check_machine()) return std::move(result_);
  place_inputs();
  times_computed_.assign(netlist_.gates.size(), 0);
  result_.program.steps.reserve(schedule_.instructions.size());
  part_ = ScheduleFault::Part::instruction;
  for (index_ = 0; index_ < schedule_.instructions.size(); ++index_) {
    const auto& instruction = schedule_.instructions[index_];
    if (!(instruction.is_copy() ? step_copy(instruction) : step_compute(instruction)))
      return std::move(result_);
  }
  part_ = ScheduleFault::Part::whole;
  if (!check_counts()) return std::move(result_);
  part_ = ScheduleFault::Part::output;
  for (index_ = 0; index_ < schedule_.outputs.size(); ++index_) {
    if (!check_output(index_)) return std::move(result_);
  }
  result_.program.slot_count = holds_.size();
  HashMap<std::uint32_t, std::uint32_t> rows;
  for (const auto& [key, slot] : slots_) ++rows[static_cast<std::uint32_t>(key >> 32U)];
  result_.figures.arrays_used = static_cast<std::uint32_t>(rows.size());
  for (const auto& [array, used] : rows)
    result_.figures.rows_used = std::max(result_.figures.rows_used, used);
  return std::move(result_);
}

}  // namespace

Replay replay(const Netlist& netlist, const Schedule& schedule) { return Replayer(netlist, schedule).run(); }

}  // namespace nestor::simd

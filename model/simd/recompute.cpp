#include "model/simd/recompute.h"

#include <algorithm>

#include "base/tables/hash_table.h"

namespace nestor::simd {

namespace {

constexpr std::uint64_t key(Place place) { return std::uint64_t{place.array} << 32U | place.row; }

/// The node in each row, and the rows of each array that store a node.
class Contents {
 public:
  Contents(const Netlist& netlist, std::uint32_t rows) {
    for (std::uint32_t input = 0; input < netlist.input_names.size(); ++input)
      write(input_place(input, rows), input + 1);
  }
  void write(Place place, NodeIndex node) {
    const auto it = node_at_.find(key(place));
    if (it != node_at_.end()) {
      auto& rows = rows_of_[place_key(place.array, it->second)];
      rows.erase(std::find(rows.begin(), rows.end(), place.row));
    }
    node_at_[key(place)] = node;
    rows_of_[place_key(place.array, node)].push_back(place.row);
  }
  NodeIndex at(Place place) const {
    const auto it = node_at_.find(key(place));
    return it == node_at_.end() ? 0 : it->second;
  }
  /// Returns a row of the array that stores the node, or null.
  const std::uint32_t* find(std::uint32_t array, NodeIndex node) const {
    const auto it = rows_of_.find(place_key(array, node));
    return it == rows_of_.end() || it->second.empty() ? nullptr : &it->second.front();
  }

 private:
  static std::uint64_t place_key(std::uint32_t array, NodeIndex node) {
    return std::uint64_t{array} << 32U | node;
  }
  HashMap<std::uint64_t, NodeIndex> node_at_;
  HashMap<std::uint64_t, std::vector<std::uint32_t>> rows_of_;
};

/// Finds the gate's operands in rows of the array. Returns false if an operand is missing.
bool operands_in(const Contents& contents, const Gate& gate, std::uint32_t array,
                 std::array<SimdOperand, 3>& operands) {
  for (std::size_t i = 0; i < 3; ++i) {
    const Signal signal = gate.fanin[i];
    if (signal.is_constant()) {
      operands[i] = SimdOperand::constant(signal.complemented());
      continue;
    }
    const std::uint32_t* row = contents.find(array, signal.node());
    if (row == nullptr) return false;
    operands[i] = SimdOperand::stored(*row, signal.complemented());
  }
  return true;
}

/// Replaces copies by computes where possible. Returns true if it replaced a copy.
bool replace_copies(const Netlist& netlist, Schedule& schedule) {
  Contents contents(netlist, schedule.rows);
  bool changed = false;
  for (Instruction& instruction : schedule.instructions) {
    if (!instruction.is_copy()) {
      contents.write(instruction.to, instruction.node);
      continue;
    }
    const NodeIndex node = contents.at(instruction.from);
    std::array<SimdOperand, 3> operands{};
    if (netlist.is_gate(node) && operands_in(contents, netlist.gate(node), instruction.to.array, operands)) {
      instruction = Instruction::compute(netlist.gate(node).kind, instruction.to, operands, node);
      changed = true;
    }
    contents.write(instruction.to, node);
  }
  return changed;
}

/// Removes copies, and repeated computes of a node, whose row is never read. Returns true if it removed an
/// instruction.
bool remove_unread(Schedule& schedule) {
  HashMap<NodeIndex, std::uint32_t> computes;
  for (const Instruction& instruction : schedule.instructions)
    if (!instruction.is_copy()) ++computes[instruction.node];
  HashSet<std::uint64_t> read;
  for (const OutputPlace& output : schedule.outputs)
    if (output.kind == OutputPlace::Kind::stored) read.insert(key(output.place));
  std::vector<Instruction> kept;
  for (auto it = schedule.instructions.rbegin(); it != schedule.instructions.rend(); ++it) {
    const bool wanted = read.erase(key(it->to)) != 0;
    if (!wanted && it->is_copy()) continue;
    if (!wanted && computes[it->node] > 1) {
      --computes[it->node];
      continue;
    }
    if (it->is_copy()) {
      read.insert(key(it->from));
    } else {
      for (const SimdOperand& operand : it->operand)
        if (!operand.is_constant()) read.insert(key({it->to.array, operand.row()}));
    }
    kept.push_back(*it);
  }
  const bool changed = kept.size() < schedule.instructions.size();
  std::reverse(kept.begin(), kept.end());
  schedule.instructions = std::move(kept);
  return changed;
}

}  // namespace

Schedule recompute_instead_of_copies(const Netlist& netlist, const Schedule& schedule) {
  Schedule result = schedule;
  result.recompute = true;
  for (bool changed = true; changed;) {
    changed = replace_copies(netlist, result);
    changed |= remove_unread(result);
  }
  return result;
}

std::uint32_t copy_count(const Schedule& schedule) {
  return static_cast<std::uint32_t>(
      std::count_if(schedule.instructions.begin(), schedule.instructions.end(),
                    [](const Instruction& instruction) { return instruction.is_copy(); }));
}

}  // namespace nestor::simd

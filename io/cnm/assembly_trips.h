// Trip count of a loop in an assembly file: facts that hold at its head in every pass, registers that change
// by a fixed step, and the exit that is taken first. Private to io/cnm.
//
// A name (register or stack slot) has one of four roles. It keeps the value from the entry of the loop, it
// remains some address, it is an induction (it changes by one fixed step per pass, which may be 0), or it is
// unknown. `AsmLoopHead` begins with the strongest guess and weakens it, name by name, until a pass over the
// body confirms it.
#pragma once

#include <map>
#include <string>

#include "base/tables/hash_table.h"
#include "io/cnm/assembly_loops.h"
#include "io/cnm/assembly_values.h"

namespace nestor::io {

/// The values compared at each exit, in the order of instructions. If several exits are taken in one pass,
/// the first one counts.
using AsmExits = std::map<std::size_t, std::pair<AsmValue, AsmValue>>;

class AsmLoopHead {
 public:
  explicit AsmLoopHead(const AsmState& entry) : entry_(entry) {}

  void may_change(const std::string& name);
  AsmState state() const;
  /// Returns true if a pass from `state` to `end` confirms the guess; otherwise weakens it.
  bool holds_after(const AsmState& end);
  /// Returns the state after the last pass, with the final values of inductions.
  AsmState after(const AsmState& end, Int trips) const;

  struct Induction {
    std::optional<Int> start;
    Int step = 0;
  };
  const HashMap<std::string, Induction>& inductions() const { return inductions_; }

  // Results of the last pass.
  AsmExits exits;
  bool always_left = false;  ///< an inner loop jumps out of this one

 private:
  enum class Role : std::uint8_t { keeps_value, address, induction, unknown };
  bool confirm(const std::string& name, Role& role, const AsmValue& at_end);

  const AsmState& entry_;
  HashMap<std::string, Role> roles_;
  HashMap<std::string, Induction> inductions_;
};

struct AsmExit {
  Int trips = 0;  ///< 0 if unknown
  std::size_t leave_at = AsmFlow::outside;
};

/// Returns true if the branch is taken for the values that it compares, and nothing if that is unknown. For
/// an operation, the first value is its result.
std::optional<bool> is_taken(const AsmInstruction& branch, const std::pair<AsmValue, AsmValue>& compared);

/// Returns the exit that is taken first.
AsmExit first_exit(const AsmText& text, const AsmFlow& flow, const AsmLoop& loop, const AsmLoopHead& head);

/// Returns the exit of a loop with given trips. An exit into the outer loop is preferred, then one within the
/// file.
std::size_t nearest_exit(const AsmText& text, const AsmFlow& flow, const AsmLoop& loop, const AsmLoop* outer);

/// Returns the stack slots that a fragment reads but never writes, each with the value given for the register
/// it is read into. Warnings follow the order of the names.
std::map<std::string, std::optional<Int>> reloaded_slots(const AsmText& text, const AssemblyFacts& facts);

}  // namespace nestor::io

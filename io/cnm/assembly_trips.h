// Computation of the trip count of a loop in an assembly file. The count follows from facts that hold at the
// loop's head in every pass, registers that change by a fixed step, and the exit that is taken first. Private
// to io/cnm.
//
// A name (register or stack slot) has one of four roles. It keeps the value that it has on entry to the loop,
// it is always an address, it is an induction (it changes by one fixed step per pass, possibly 0), or it is
// unknown. `AsmLoopHead` starts from the strongest assumption. After each pass over the body, it weakens the
// roles that the pass contradicts, until a pass confirms all of them.
#pragma once

#include <map>
#include <string>

#include "base/tables/hash_table.h"
#include "io/cnm/assembly_loops.h"
#include "io/cnm/assembly_values.h"

namespace nestor::io {

/// The values compared at each exit, in the order of instructions. If a pass could take several exits, it
/// takes the first one.
using AsmExits = std::map<std::size_t, std::pair<AsmValue, AsmValue>>;

class AsmLoopHead {
 public:
  explicit AsmLoopHead(const AsmState& entry) : entry_(entry) {}

  void may_change(const std::string& name);
  AsmState state() const;
  /// Returns true if a pass from `state` to `end` confirms the assumptions; otherwise weakens them.
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
  bool always_left = false;  ///< an inner loop jumps out of this loop

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

/// Returns whether the branch is taken for the compared values; nothing if that is unknown. For an operation,
/// the first value is its result.
std::optional<bool> is_taken(const AsmInstruction& branch, const std::pair<AsmValue, AsmValue>& compared);

/// Returns the exit that is taken first. Its `trips` is 0 if no exit is known to be taken.
AsmExit first_exit(const AsmText& text, const AsmFlow& flow, const AsmLoop& loop, const AsmLoopHead& head);

/// Returns the exit of a loop with a given trip count. Prefers an exit into the outer loop, then one within
/// the function.
std::size_t nearest_exit(const AsmText& text, const AsmFlow& flow, const AsmLoop& loop, const AsmLoop* outer);

/// Returns the stack slots that a fragment reads but never writes, sorted by name. Each has the value that
/// --regs gives for the register into which it is loaded, or no value if there are none or several different
/// values. Returns no slots if the code changes the stack pointer.
std::map<std::string, std::optional<Int>> reloaded_slots(const AsmText& text, const AssemblyFacts& facts);

}  // namespace nestor::io

// Trip count of a loop in an assembly file: what holds at its head in every pass, which registers move by a
// fixed step, and where it is left first. Private to io/cnm.
//
// A name (register or stack slot) keeps the value it had when the loop was entered, or stays some address, or
// is an induction (it moves by one fixed step a pass; the step may be 0), or is unknown. `AsmLoopHead` begins
// with the strongest guess and weakens it, name by name, until a walk through the body confirms it.
#pragma once

#include <map>
#include <string>

#include "base/tables/hash_table.h"
#include "io/cnm/assembly_loops.h"
#include "io/cnm/assembly_values.h"

namespace nestor::io {

/// The values compared at each exit, by instruction.
/// In the order of instructions: of exits taken in one pass the first counts.
using AsmExits = std::map<std::size_t, std::pair<AsmValue, AsmValue>>;

class AsmLoopHead {
 public:
  explicit AsmLoopHead(const AsmState& entry) : entry_(entry) {}

  void may_change(const std::string& name);
  AsmState state() const;
  /// True if a pass that began as `state` and ended as `end` leaves the guess as it is; else it is weakened.
  bool holds_after(const AsmState& end);
  /// The end of the last pass, with inductions as far as they got.
  AsmState after(const AsmState& end, Int trips) const;

  struct Induction {
    std::optional<Int> start;
    Int step = 0;
  };
  const HashMap<std::string, Induction>& inductions() const { return inductions_; }

  // Of the last walk.
  AsmExits exits;
  bool always_left = false;  ///< a loop inside leads out of this one

 private:
  enum class Role : std::uint8_t { keeps_value, address, induction, unknown };
  bool confirm(const std::string& name, Role& role, const AsmValue& at_end);

  const AsmState& entry_;
  HashMap<std::string, Role> roles_;
  HashMap<std::string, Induction> inductions_;
};

struct AsmExit {
  Int trips = 0;  ///< 0: not known
  std::size_t leave_at = AsmFlow::outside;
};

/// Whether a branch is taken, with the values that it compares (of an operation the first is its result).
std::optional<bool> is_taken(const AsmInstruction& branch, const std::pair<AsmValue, AsmValue>& compared);

/// The exit that is taken first.
AsmExit first_exit(const AsmText& text, const AsmFlow& flow, const AsmLoop& loop, const AsmLoopHead& head);

/// Where a loop is left when its trips are given: the exit that stays nearest.
std::size_t nearest_exit(const AsmText& text, const AsmFlow& flow, const AsmLoop& loop, const AsmLoop* outer);

/// Stack slots that a fragment reads and writes nowhere, with the value given for the one register they are
/// read into; in the order of their names, in which they are warned of.
std::map<std::string, std::optional<Int>> reloaded_slots(const AsmText& text, const AssemblyFacts& facts);

}  // namespace nestor::io

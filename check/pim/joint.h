// Lower bounds on the remaining energy of all operands together, for even blocks, below one spatial choice
// (docs/models/pim.md, section 7.3).
#pragma once

#include "check/pim/nest.h"

namespace nestor::check::pim {

/// Lower bounds on what the completions of a nest add to its energy. They depend only on the nest's state:
/// the remaining factors, the memory of every operand, and the innermost sealed memory. The bounds are
/// computed by a dynamic program over states, from the complete nest outward.
///
/// Invariant: every completion of a nest that fits adds at least the limit, or it adds at least `moving` for
/// moving bits and at least `all` in total. Bounds at the limit state that every completion adds at least
/// that much, or that there is none. If the limit is `most`, they state that there is none.
///
/// By induction over the remaining loops. Each step of a completion, a prime loop and the moves after it,
/// leads from one state to another that the program considers, for these reasons:
/// - The loops outside a transfer are those that are not among the remaining factors. Without rows, its
///   energy does not depend on their order. The program adds it exactly.
/// - A transfer from DRAM opens at least the rows of (5.1), and at least those of (5.2). While operands are
/// in
///   DRAM, all that remains of each of them is still to be read, so each opens at least the rows of (5.2).
/// - A completion that fits never has a state in which the remaining contents of the operands in a memory
///   exceed it. The bits in use never decrease. They include a block for each of these operands, which is at
///   least as large as its remaining content, and as wide as partial sums once a reduction is outside.
/// - Loops seal memories, and sealed memories exclude moves, by the rule that nests follow (7.2). The state
///   has all that this rule depends on.
/// The program takes the least over all steps, including those that no nest with this state has.
class PimJointBounds {
 public:
  struct Rest {
    Int moving = 0;  ///< energy of moving bits
    Int all = 0;     ///< energy of moving bits and opening rows
  };
  /// Lower bounds on rows: of one pass through a content, by (5.1), and of each iteration while an operand
  /// stays in DRAM, by (5.2).
  struct Floors {
    Int pass = 0;
    Int sweep = 0;
  };
  using FloorsOf = std::function<const Floors&(Operand, const Extents& left)>;

  static constexpr Int most = Int{1} << 60;
  /// True if a nest has these bounds. Otherwise, there must be no object for it.
  static bool supports(const CheckedPimNest& nest);

  PimJointBounds(const CheckedPimNest& nest, const FloorsOf& floors, Int limit);
  Rest rest(const PimNode& node) const;
  /// True if no completion of a nest adds less than the limit.
  bool closes(const PimNode& node) const { return rest(node).all >= limit_; }

 private:
  using Positions = std::array<std::uint8_t, 3>;
  // The positions after the moves of a loop, and the outermost memory that an operand enters. If no operand
  // moves, that is the number of memories.
  struct Target {
    std::size_t code = 0;
    std::size_t entered = 0;
  };
  struct Step;
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  std::size_t code(const Positions& at) const { return (at[I] * lengths_[W] + at[W]) * lengths_[O] + at[O]; }
  void list_targets();
  bool fits(const Step& step, const Positions& at) const;
  bool complete(Step& step);
  void price(Step& step) const;
  Rest* rests_of(std::size_t row);
  void add_least(const Step& step, const Target& target, const Positions& from, Rest* best, std::size_t first,
                 std::size_t last) const;
  void pass_on(const Step& step, std::size_t still);
  // Returns one term of a bound. Even the sum of the most terms, 16 for each operand, is less than `most`.
  Int limited(Wide energy) const { return static_cast<Int>(std::min<Wide>({energy, limit_, most / 64})); }
  void take_least(Rest& best, const Rest& other) const;

  const CheckedPimNest& nest_;
  Int limit_;
  std::array<std::size_t, 3> lengths_{};  ///< of the chains
  std::size_t memories_ = 0;
  std::vector<Positions> codes_;
  /// Targets by the operand to which a loop is irrelevant, or 3 before any loop, and by code.
  std::array<std::vector<std::vector<Target>>, 4> targets_;
  std::vector<std::size_t> rows_;  ///< by remaining factors: place of the first bound, or `none`
  std::vector<Rest> rests_;        ///< of a row: by code and sealed memory
  Rest start_;                     ///< before the first moves
};

}  // namespace nestor::check::pim

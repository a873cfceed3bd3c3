// Lower bounds on the remaining energy of all operands together, for even blocks. A dynamic program over the
// states of the search without the order of the loops: the factors still to be placed, the memory of every
// operand, and the innermost sealed memory. docs/models/pim.md, section 7.3, has the argument.
#pragma once

#include <bit>
#include <span>

#include "model/loopnest/search/choice_frame.h"
#include "model/loopnest/search/nest_branch.h"
#include "model/pim/search/transfer_table.h"

namespace nestor::pim {

/// Lower bounds on a remaining energy.
struct RestEnergy {
  double bits = 0;   ///< of moving bits
  double total = 0;  ///< of moving bits and opening rows
};

class JointTable {
 public:
  using Nodes = std::array<LatticeNode, dim_count>;
  using Positions = std::array<std::uint8_t, operand_count>;
  using Tables = std::array<const TransferTable*, operand_count>;

  /// True if the table is used and supports the problem.
  static bool supports(const PimProblem& problem);

  /// Prepares the table of a branch, with the number of lanes outside every home. Returns false if the branch
  /// is too large. The problem and the lattices must outlive the table.
  bool prepare(const PimProblem& problem, const Lattices& lattices, const Tables& tables,
               const std::array<double, operand_count>& home_lanes);
  /// Returns the arena bytes from which fill() may be tried.
  std::size_t least_bytes() const { return row_count_ * (sizeof(Row) + 2 * sizeof(RestEnergy)) + 4096; }
  /// A computation that is stopped ends with too_much_work.
  enum class Fill : std::uint8_t { done, arena_too_small, too_much_work };
  /// Computes all bounds below `limit`. The work is counted in moves between memories. `starts`, if not
  /// empty, receives one bound per combination of remaining factors: that of a mapping in which they are all
  /// of its temporal loops, at most the limit. It is valid if the combination has all factors of every
  /// reduction.
  Fill fill(const Tables& tables, double limit, const TableWork& moves, Arena& arena,
            std::span<double> starts = {});
  /// Returns the number of combinations of remaining factors, and the place of one of them.
  std::size_t row_count() const { return row_count_; }
  std::size_t row_of(const Nodes& node) const {
    std::size_t row = 0;
    for (std::size_t d = 0; d < dim_count; ++d) row += node[d] * strides_[d];
    return row;
  }
  /// Returns the number of moves that fill() tried, approximately.
  std::uint64_t moves() const { return moves_done_; }

  /// Returns the bounds before the first step, at most the limit.
  RestEnergy start() const { return start_; }
  /// Returns the bounds of a label after its first step, at most the limit.
  RestEnergy rest(const Nodes& node, const Positions& at, std::size_t sealed) const;

 private:
  static constexpr std::size_t most_memories = 8;
  static constexpr std::size_t most_positions = 4;
  static constexpr std::size_t most_codes = most_positions * most_positions * most_positions;
  static constexpr double infinite = std::numeric_limits<double>::infinity();

  // States of one combination of remaining factors.
  struct Row {
    std::uint64_t fitting = 0;  // bit per code: true if all operands fit; 0 if the row has no values
    std::uint32_t first = 0;    // index of the first value
  };
  // Moves of a code after a loop.
  struct Move {
    std::uint8_t fewest_sealed = 0;                    // innermost memory that the loop seals
    std::uint8_t end_sealed = 0;                       // sealed memories from which all can be completed
    std::array<std::uint64_t, most_memories> reach{};  // by sealed memory: codes after the moves
  };
  struct Step;  // the costs of all jumps at one combination of remaining factors

  std::size_t code(const Positions& at) const {
    return (at[0] * most_positions + at[1]) * most_positions + at[2];
  }
  std::size_t place(const Row& row, std::size_t code, std::size_t sealed) const {
    const std::uint64_t before = row.fitting & ((std::uint64_t{1} << code) - 1);
    return row.first + static_cast<std::size_t>(std::popcount(before)) * memories_ + sealed;
  }
  std::uint64_t fitting(const Nodes& node, const Tables& tables) const;
  RestEnergy jump_energy(const Step& step, const Tables& tables, std::size_t x, std::size_t from,
                         std::size_t to) const;
  void prepare_step(const Nodes& node, const Tables& tables, Step& step) const;
  void list_moves();
  bool pass_on(const Step& step, const Tables& tables, std::size_t row, const Nodes& node, std::size_t still);
  Row* find_row(std::size_t row, const Nodes& node, const Tables& tables);
  RestEnergy least(const Step& step, std::size_t code, std::size_t sealed, std::uint64_t reach) const;

  const PimProblem* problem_ = nullptr;
  const Lattices* lattices_ = nullptr;
  std::array<double, operand_count> home_lanes_{};
  std::size_t memories_ = 0;
  std::array<std::size_t, dim_count> strides_{};
  std::size_t row_count_ = 0;
  std::size_t value_count_ = 0;
  std::size_t used_ = 0;  // values in use
  std::uint64_t moves_done_ = 0;
  double limit_ = 0;
  std::array<Positions, most_codes> at_{};                                        // positions of a code
  std::array<std::array<std::uint8_t, most_positions>, operand_count> memory_{};  // per chain position
  Positions innermost_{};
  std::array<std::array<Move, most_codes>, operand_count> moves_{};  // by the operand that stays
  Row* rows_ = nullptr;
  RestEnergy* values_ = nullptr;
  RestEnergy start_;
};

}  // namespace nestor::pim

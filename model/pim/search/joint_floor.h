// A floor under the energy that all operands together still pay where blocks are even: unlike the tables of
// single operands, it knows that they divide each memory, and that a loop in between repeats the visits of
// those that do not see it (docs/models/pim.md, section 7.3).
//
// Why it is safe. By (2.1) a memory m has a gap between loops such that every operand that uses m has in it
// the content of the loops inside the gap; let it be the outermost such gap. The loop just outside it is then
// one that some operand of m sees, and each that sees it moves into m below it: all loops outside the gap
// repeat its move. The others move at least once for each iteration of the loops that they see. So over all
// contents inside the gap at which the operands fit m together, and all loops just outside, the least sum is
// no more than what the moves into m cost. Memories further inside have their gaps further inside: the loops
// between two gaps and those outside both repeat the moves of an operand that sees one of those between.
#pragma once

#include <vector>

#include "model/pim/search/row_floor.h"
#include "model/pim/search/transfer_table.h"

namespace nestor::pim {

class JointFloor {
 public:
  using Nodes = std::array<LatticeNode, dim_count>;
  using Positions = std::array<std::uint8_t, operand_count>;

  /// Nothing is known of uneven blocks, of a bypass table, and of chains that are too long or hold too much.
  static bool applies(const PimProblem& problem, const OperandChains& chains);

  /// `whole_rows`: activations of each operand at least, over all. What is passed outlives the floor.
  JointFloor(const PimProblem& problem, const std::array<const TransferTable*, operand_count>& tables,
             const Lattices& lattices, const std::array<Int, operand_count>& whole_rows);

  /// At least the energy of all moves, rows included, before any is decided; or `enough`, if that is less.
  double all(double enough);

 private:
  static constexpr double infinite = std::numeric_limits<double>::infinity();
  static constexpr std::size_t longest_chain = 3;
  static constexpr std::size_t sources = longest_chain - 1;  // memories that a move may come from

  // What moves of a content from one memory into another cost, by the repeats known as in TransferTable; and
  // `once` where it is known that there are none.
  struct Cost {
    double once = -1;  // not worked out yet
    std::array<double, 3> by_repeats{};
    double of(Int repeats) const {
      return repeats == 1 ? by_repeats[0] : by_repeats[1] + static_cast<double>(repeats - 1) * by_repeats[2];
    }
  };
  // What lies inside a gap, and how often loops outside repeat it, by operand.
  struct Content {
    Nodes node{};
    std::array<TableIndex, operand_count> index{};
    std::array<Int, operand_count> repeats{1, 1, 1};
  };
  // Operands that move into a memory, and the contents that let them fit it together.
  struct Level {
    std::size_t memory = 0;
    unsigned users = 0;  // bits
    bool listed = false;
    std::vector<Content> contents;
  };
  struct Gap : Content {
    unsigned outside = 0;  // operands that see the loop just outside, bits
  };
  struct State {
    Positions at{};
    std::array<std::size_t, operand_count> moved{};  // the gap that an operand moved at, 0: none yet
    std::size_t memory = 0;                          // entered last
    double energy = 0;
  };
  struct Candidate {
    double floor = 0;
    State state;
    Gap gap;
  };

  void add_levels();
  void list_contents(Level& level);
  void descend(Level& level, Content& content, std::size_t d);
  void complete(Content& content) const;
  const Cost& cost(std::size_t x, const Content& content, std::size_t from, std::size_t to);
  Cost work_out(std::size_t x, TableIndex index, Int relevant, std::size_t from, std::size_t to) const;
  Int bits(std::size_t x, TableIndex index, std::size_t position) const;
  std::size_t position(std::size_t x, std::size_t memory) const { return position_[x][memory]; }
  double alone(const State& state, const Gap& gap, std::size_t x) const;
  void add_candidates(const Level& level, const State& state, std::vector<Candidate>& candidates);
  bool find_repeats(const Content& content, const State& state, std::size_t x, Int& repeats) const;
  void go_inward(const State& state);

  const PimProblem& problem_;
  const std::array<const TransferTable*, operand_count>& tables_;
  const Lattices& lattices_;
  std::array<Int, operand_count> whole_rows_{};
  std::array<unsigned, dim_count> seen_by_{};  // operands, bits
  // In the operand's chain; 0: its home, or not there.
  std::array<std::array<std::size_t, max_memories>, operand_count> position_{};
  std::array<std::vector<Cost>, operand_count> costs_;  // by content, source and target
  std::vector<Level> levels_;
  std::vector<Gap> gaps_;  // of the state at hand, the first being where the question is asked
  bool started_ = false;
  double best_ = 0;
};

}  // namespace nestor::pim

// One branch of the pim space: a spatial choice with everything below it. Temporal loops are placed from the
// outermost inward. Perfect overlap makes every cost that a transfer causes, row activations and their layout
// included, known when its operand jumps to the memory inside, and independent of what is decided later.
//
// A first step chooses the memories that operands go to at once, their whole content crossing once; every
// other step places a loop, one factor, inside all others, and lets the operands that see it jump inward
// below it. That reaches every canonical mapping: no cost depends on how a loop is split in two adjacent
// ones.
//
// Even blocks. Level m starts in a gap between loops, somewhere between the jump of an operand into m and the
// next loop that this operand sees. So an operand may not enter m, or a memory outside m, once a loop was
// placed that an operand in m sees: `sealed` is the innermost memory of which that is true
// (docs/models/pim.md, section 7.2).
//
// Why bounds and dominance are safe: docs/models/pim.md, section 7.
#pragma once

#include <vector>

#include "model/loopnest/search/branch_setup.h"
#include "model/loopnest/search/choice_frame.h"
#include "model/loopnest/search/nest_branch.h"
#include "model/loopnest/search/nest_step.h"
#include "model/loopnest/search/shared_memories.h"
#include "model/pim/search/path.h"
#include "model/pim/search/row_floor.h"
#include "model/pim/search/transfer_table.h"

namespace nestor::pim {

struct PimLabel {
  std::array<LatticeNode, dim_count> node{};     ///< factors still to be placed inside, per dimension
  std::array<std::uint8_t, operand_count> at{};  ///< chain position of the block being extended
  bool started = false;                          ///< the first step is done
  std::uint8_t placed = 0;                       ///< factors placed, over all dimensions
  std::uint8_t sealed = 0;                       ///< even blocks: memories up to here cannot be entered
  std::uint8_t fixed = 0;                        ///< of the outermost loops that are prescribed, those placed
  Int fixed_left = 1;                            ///< of the prescribed loop being placed
  double floor = 0;                              ///< the label's own bound
  double energy = 0;  ///< of all transfers so far, and of what all completions share
  double load = 0;    ///< cycles of all transfers so far: orders children only
  Int latency = 0;    ///< of compute and of every port whose transfers are known
  Int pending = 0;    ///< bits more that O's block takes if its sums are partial
  std::array<Int, max_shared_memories> taken{};  ///< bits taken in memories that several operands use
  std::array<Int, max_shared_memories> busy{};   ///< cycles of their ports, where operands take turns
  Path path;                                     ///< while an operand is in DRAM
  std::array<Int, operand_count> opened{};       ///< activations of an operand in DRAM, at least
  /// row_model hybrid: loops placed when an operand left DRAM, plus 1, while it is in the memory next to it,
  /// whose loops that it does not see count, too; otherwise 0.
  std::array<std::uint8_t, operand_count> left{};
};

class PimBranch : private ChoiceFrame {
 public:
  using Label = PimLabel;
  using Problem = pim::PimProblem;
  using Solution = PimMapping;
  using Builder = TransferTables;
  using Tables = std::array<const TransferTable*, operand_count>;

  BranchSetup prepare(const PimProblem& problem, const Lattices& lattices, const SpatialChoice& choice,
                      const Tables& tables, Arena& arena);
  void use_tables(const Tables& tables) { tables_ = tables; }
  /// Only what these do not cover counts from now on.
  void use_staircase(Staircase staircase) { staircase_ = staircase; }

  Label root() const;
  double root_bound() const { return root_bound_; }
  int max_depth() const { return factors_ + 1; }
  int depth(const Label& label) const { return label.placed + static_cast<int>(label.started); }
  std::uint64_t key(const Label& label) const;
  bool dominates(const Label& a, const Label& b, double cut) const;
  double preference(const Label& label) const;

  template <typename Emit>
  double expand(const Label& label, double from, double below, double cut, Emit emit) const;

  /// The mapping that a walk back from a complete label describes, with the layouts that suit it.
  template <typename Search>
  PimMapping solution(const Search& search) const;
  /// The step to a child for KeptLabels (model/loopnest/space/nest_run.h); the first step has no loop.
  std::uint64_t kept_step(const Label& parent, const Label& child, bool& mirrored) const;
  /// As ChecksLabels asks (solver/engine/label_state.h).
  bool is_step(const Label& parent, const Label& child) const;

 private:
  static constexpr double infinite = std::numeric_limits<double>::infinity();

  // What one operand may do below a loop: stay, or jump inward.
  struct Move {
    std::uint8_t to = 0;
    double energy = 0;        // of the jump
    double energy_ahead = 0;  // at least, of all that follows
    double peak = 0;          // at least, of the busiest port from here on
    Int activations = -1;     // once they are known
  };
  struct SeenLoop {
    std::size_t dim = 0;
    Int count = 1;
    friend bool operator==(const SeenLoop&, const SeenLoop&) = default;
  };
  using SeenLoops = FixedVector<SeenLoop, max_loops>;
  using Moves = FixedVector<Move, max_memories>;
  using MovePerOperand = std::array<Move*, operand_count>;

  // A memory where the capacity or the port couples operands.
  struct CouplingMemory : SharedMemory {
    bool limits = false;  // its capacity could be too small for all of them
    bool turns = false;   // they take turns at its port
    Int held = 0;         // cycles that its port serves every step with
  };

  const Memory& memory(std::size_t x, std::size_t position) const {
    return problem_->machine.memories[tables_[x]->memory(position)];
  }
  bool in_dram(const Label& label, std::size_t x) const { return label.at[x] == 0 && has_rows_[x]; }
  // Cycles are whole; a bound that was divided may lie a hair above.
  static Int whole_cycles(double cycles) {
    const double slightly_less = cycles * (1 - 1e-11);
    const auto whole = static_cast<Int>(slightly_less);
    return whole + static_cast<Int>(static_cast<double>(whole) < slightly_less);
  }
  std::array<TableIndex, operand_count> indices(const std::array<LatticeNode, dim_count>& node) const {
    return {tables_[0]->index(node), tables_[1]->index(node), tables_[2]->index(node)};
  }

  bool has_prescribed_loops() const;
  // Whether operands are coupled at it, and how.
  bool must_follow(CouplingMemory& shared) const;
  void set_base_cost();

  bool unsettles(const Label& label, Dim dim) const;
  void list_moves(const Label& stepped, std::size_t x, TableIndex index, const Outside& outside,
                  bool may_jump, Moves& moves) const;
  bool may_enter(const Label& stepped, std::size_t x, std::size_t to) const;
  double jump_energy(std::size_t x, TableIndex index, std::size_t from, std::size_t to,
                     const Outside& out) const;
  Int port_cycles(std::size_t x, TableIndex index, std::size_t from, const Outside& out) const;
  Int element_width(std::size_t x, const Outside& outside) const;
  // The rows that a jump out of DRAM opens, at their least over all layouts, or as many as keep the port no
  // busier than `idle` cycles if that is more, or as make the latency reach `limit` if that is less.
  Int activations(const Label& stepped, std::size_t x, TableIndex index, const Outside& outside, Int cycles,
                  Int idle, double limit) const;
  // row_model hybrid (docs/models/pim.md, section 7.6): what an operand that left DRAM left behind.
  struct Departure {
    std::array<LatticeNode, dim_count> node{};  // still to be placed then
    Path path;                                  // placed then
    Outside outside;
    Int buffered = 1;  // repeats in the memory next to DRAM since
  };
  Departure departure(const Label& label, std::size_t x) const;
  Int hybrid_rows(const Departure& departure, std::size_t x, Int buffered) const;
  // The rows that repeats in the memory next to DRAM add, when the operand leaves it.
  void add_hybrid_rows(Label& child, std::size_t x) const;
  std::size_t next_to_dram(std::size_t x, std::size_t to) const {
    return tables_[x]->stops_everywhere() ? 1 : to;
  }
  Int row_floor(const Label& stepped, std::size_t x, TableIndex index, const Outside& outside) const;

  // A child that may be emitted. Children go out in the order of bound and load: of equally promising labels
  // the search expands the oldest first.
  struct Child {
    double bound = 0;
    double load = 0;
    Label label;
  };
  double load_ahead(const Label& label, const std::array<TableIndex, operand_count>& index,
                    const std::array<Outside, operand_count>& outside) const;
  // Carries the moves out; false if a memory overflows. Of what makes the bound reach `limit`, no more need
  // be counted.
  bool carry_out(Label& child, const MovePerOperand& moves,
                 const std::array<TableIndex, operand_count>& index,
                 const std::array<Outside, operand_count>& outside, double limit) const;
  bool take_room(Label& child, std::size_t x, TableIndex index, std::size_t from, std::size_t to,
                 const Outside& outside) const;
  void take_cycles(Label& child, std::size_t x, std::size_t from, Int cycles) const;
  bool keep_pending(Label& child) const;
  bool close_shared_memories(Label& child) const;
  // The least energy still to come, if so many rows at least are still to be opened.
  double energy_ahead(std::size_t x, TableIndex index, std::size_t position, Int repeats, Int rows) const;
  double bound_of(const Label& child, const std::array<TableIndex, operand_count>& index,
                  const std::array<Outside, operand_count>& outside) const;
  double combine(Int latency, double energy) const;

  // Whether everything to come costs and may do the same after both.
  bool same_past(const Label& a, const Label& b) const;
  // Places one factor inside all others. False if a memory overflows because of it.
  bool place(Label& stepped, std::size_t dim, std::size_t factor, Int prescribed_left) const;
  template <typename Visit>
  void each_step(const Label& label, Visit visit) const;

  RowWalk row_walk(const Path& path, const std::array<LatticeNode, dim_count>& inside, std::size_t x,
                   Int width) const;

  const PimProblem* problem_ = nullptr;
  Tables tables_{};
  OperandChains chains_;  // a solution is read when the tables may be gone (NestRun)
  FixedVector<CouplingMemory, max_shared_memories> shared_;
  SharedSlots slot_{};
  std::array<bool, operand_count> has_rows_{};
  std::array<Extents, operand_count>
      below_dram_{};  // per operand, spatial extents of the axes below its home
  std::array<RowFloor, operand_count> row_floor_{};
  Staircase staircase_;
  bool needs_latency_ = true;
  bool needs_energy_ = false;
  bool counts_rows_ = false;  // activations cost something
  bool hybrid_ = false;       // and are counted by closed formulas
  Int base_latency_ = 0;
  double base_energy_ = 0;
  double root_bound_ = 0;
  mutable RowCounter rows_;
  mutable std::vector<Child> children_;  // of the expansion that runs
};

static_assert(StaircaseBranch<PimBranch>);

}  // namespace nestor::pim

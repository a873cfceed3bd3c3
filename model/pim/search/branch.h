// One branch of the pim space: a spatial choice with all mappings below it. Temporal loops are placed from
// the outermost inward. Transfers overlap perfectly. Therefore the cost of a transfer is known when its
// operand jumps to the memory inside, including row activations and the layout. No later decision changes it,
// except that the hybrid row model may add activations (PimLabel::left).
//
// In the first step, operands may jump inward before any loop is placed; their whole content is then
// transferred once. Each later step places a loop of one factor inside all loops placed so far, and lets the
// operands to which this loop is relevant jump inward below it. The search reaches every canonical mapping,
// because no cost depends on splitting a loop into two adjacent loops.
//
// Even blocks. Level m starts in a gap between loops, somewhere between the jump of an operand into m and the
// next loop relevant to this operand. After a loop is placed that is relevant to an operand in m, no operand
// may therefore enter m or a memory outside m. `sealed` is the innermost such memory (docs/models/pim.md,
// section 7.2).
//
// Proofs that bounds and dominance are safe: docs/models/pim.md, section 7.
#pragma once

#include <vector>

#include "model/loopnest/search/branch_setup.h"
#include "model/loopnest/search/choice_frame.h"
#include "model/loopnest/search/nest_branch.h"
#include "model/loopnest/search/nest_step.h"
#include "model/loopnest/search/shared_memories.h"
#include "model/pim/search/joint_table.h"
#include "model/pim/search/path.h"
#include "model/pim/search/row_floor.h"
#include "model/pim/search/transfer_table.h"

namespace nestor::pim {

struct PimLabel {
  std::array<LatticeNode, dim_count> node{};     ///< factors still to be placed inside, per dimension
  std::array<std::uint8_t, operand_count> at{};  ///< chain position of the block being extended
  bool started = false;                          ///< true after the first step
  std::uint8_t placed = 0;                       ///< factors placed, over all dimensions
  std::uint8_t sealed = 0;                       ///< even blocks: this memory and those outside it cannot be
                                                 ///< entered
  std::uint8_t fixed = 0;                        ///< number of prescribed outermost loops that are placed
  Int fixed_left = 1;                            ///< remaining part of the current prescribed loop's factor
  double floor = 0;                              ///< the label's bound
  double energy = 0;  ///< energy of all transfers so far, and the common cost of all completions
  double load = 0;    ///< cycles of all transfers so far; only for the order of children
  Int latency = 0;    ///< maximum over compute and all ports whose transfers are known
  Int pending = 0;    ///< additional bits of O's block if its sums are partial
  std::array<Int, max_shared_memories> taken{};  ///< bits taken in memories that several operands use
  std::array<Int, max_shared_memories> busy{};   ///< cycles of these memories' ports, if operands take turns
  Path path;                                     ///< loops placed so far, recorded while an operand is in
                                                 ///< DRAM
  std::array<Int, operand_count> opened{};       ///< lower bound on the activations of an operand in DRAM
  /// For row_model hybrid, while an operand is in the memory next to DRAM, where its irrelevant loops also
  /// affect the rows: number of loops placed when the operand left DRAM, plus 1. Otherwise 0.
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
  /// Required by HasOwnTable (model/loopnest/search/nest_branch.h). With its own table, the branch has
  /// tighter bounds on energy.
  std::size_t own_table_bytes();
  std::uint64_t fill_own_table(double limit, const TableWork& work, Arena& arena);
  bool has_own_table() const { return has_joint_; }
  void drop_own_table() { has_joint_ = false; }
  /// Same as fill_own_table(), for lower bounds on the energies of all choices of a group (group_of in
  /// problem.h) that this branch stands for. `energies` has start_count() places; that of the choice with
  /// these temporal extents is start_of(). Energies are at most `limit`. Returns 0 if the arena is too small.
  std::uint64_t fill_starts(double limit, const TableWork& work, Arena& arena, std::span<double> energies);
  std::size_t start_count() const { return joint_.row_count(); }
  std::size_t start_of(const Extents& temporal) const;
  /// Returns an energy with which no mapping of at least this latency costs less than `cost`.
  double energy_of_cost(double cost, Int latency) const;
  /// Returns the cost of a latency and an energy, or infinity if they break a constraint.
  double combine(Int latency, double energy) const;
  /// From this call on, the branch prunes mappings that `staircase` covers.
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

  /// Returns the mapping of a complete label, found by following its parents, with the layouts of
  /// choose_layouts().
  template <typename Search>
  PimMapping solution(const Search& search) const;
  /// Returns the step from a label to its child, for KeptLabels (model/loopnest/space/nest_run.h); the first
  /// step has no loop.
  std::uint64_t kept_step(const Label& parent, const Label& child, bool& mirrored) const;
  /// Required by ChecksLabels (solver/engine/label_state.h).
  bool is_step(const Label& parent, const Label& child) const;

 private:
  static constexpr double infinite = std::numeric_limits<double>::infinity();
  static constexpr std::size_t moves_per_expansion = 5000;  // moves of the joint table in the same time

  // Move of one operand below a loop: it stays or jumps inward.
  struct Move {
    std::uint8_t to = 0;
    double energy = 0;        // energy of the jump
    double energy_ahead = 0;  // lower bound on all energy after the jump
    double peak = 0;          // lower bound on the cycles of the busiest port, from this move on
    Int activations = -1;     // activations of the jump; -1: not known yet
  };
  struct SeenLoop {
    std::size_t dim = 0;
    Int count = 1;
    friend bool operator==(const SeenLoop&, const SeenLoop&) = default;
  };
  using SeenLoops = FixedVector<SeenLoop, max_loops>;
  using Moves = FixedVector<Move, max_memories>;
  using MovePerOperand = std::array<Move*, operand_count>;

  // Memory that couples operands by its capacity or its port.
  struct CouplingMemory : SharedMemory {
    bool limits = false;  // true if its capacity may be too small for all operands
    bool turns = false;   // true if operands take turns at its port
    Int held = 0;         // cycles in which its port serves the steps
  };

  const Memory& memory(std::size_t x, std::size_t position) const {
    return problem_->machine.memories[tables_[x]->memory(position)];
  }
  bool in_dram(const Label& label, std::size_t x) const { return label.at[x] == 0 && has_rows_[x]; }
  // Rounds cycles up, except for an excess over a whole number by at most a relative 1e-11: a bound that
  // results from a division may be slightly too large because of rounding.
  static Int whole_cycles(double cycles) {
    const double slightly_less = cycles * (1 - 1e-11);
    const auto whole = static_cast<Int>(slightly_less);
    return whole + static_cast<Int>(static_cast<double>(whole) < slightly_less);
  }
  double activation_energy(std::size_t x, Int activations) const {
    return static_cast<double>(activations) * home_lanes_[x] * memory(x, 0).activation_energy;
  }
  std::array<TableIndex, operand_count> indices(const std::array<LatticeNode, dim_count>& node) const {
    return {tables_[0]->index(node), tables_[1]->index(node), tables_[2]->index(node)};
  }

  bool has_prescribed_loops() const;
  // Determines how a memory couples operands. Returns false if it does not couple them.
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
  // Returns the number of rows that a jump out of DRAM opens, as the minimum over all allowed layouts. The
  // result may be too large if the port nevertheless stays within `idle` cycles, and too small if the latency
  // reaches `limit`.
  Int activations(const Label& stepped, std::size_t x, TableIndex index, const Outside& outside, Int cycles,
                  Int idle, double limit) const;
  // For row_model hybrid (docs/models/pim.md, section 6): the search state when an operand left DRAM.
  struct Departure {
    std::array<LatticeNode, dim_count> node{};  // remaining factors at that time
    Path path;                                  // loops placed at that time
    Outside outside;
    Int buffered = 1;  // iterations of later repeating loops in the memory next to DRAM
  };
  Departure departure(const Label& label, std::size_t x) const;
  Int hybrid_rows(const Departure& departure, std::size_t x, Int buffered) const;
  // Adds the rows due to repeats in the memory next to DRAM when the operand leaves this memory.
  void add_hybrid_rows(Label& child, std::size_t x) const;
  std::size_t next_to_dram(std::size_t x, std::size_t to) const {
    return tables_[x]->stops_everywhere() ? 1 : to;
  }
  Int row_floor(const Label& stepped, std::size_t x, TableIndex index, const Outside& outside) const;

  // Child to emit. Children are emitted in order of bound and load, because the search expands the oldest of
  // equally promising labels first.
  struct Child {
    double bound = 0;
    double load = 0;
    Label label;
  };
  double load_ahead(const Label& label, const std::array<TableIndex, operand_count>& index,
                    const std::array<Outside, operand_count>& outside) const;
  // Applies the moves. Returns false if a memory overflows. Activations are counted only until the bound
  // reaches `limit`.
  bool carry_out(Label& child, const MovePerOperand& moves,
                 const std::array<TableIndex, operand_count>& index,
                 const std::array<Outside, operand_count>& outside, double limit) const;
  bool take_room(Label& child, std::size_t x, TableIndex index, std::size_t from, std::size_t to,
                 const Outside& outside) const;
  void take_cycles(Label& child, std::size_t x, std::size_t from, Int cycles) const;
  bool keep_pending(Label& child) const;
  bool close_shared_memories(Label& child) const;
  // Returns a lower bound on the remaining energy if at least `rows` rows are still to be opened.
  double energy_ahead(std::size_t x, TableIndex index, std::size_t position, Int repeats, Int rows) const;
  double bound_of(const Label& child, const std::array<TableIndex, operand_count>& index,
                  const std::array<Outside, operand_count>& outside) const;
  double joint_energy(const Label& label, double opening) const;
  // Returns a lower bound on the energy of every completion after the moves, from the joint table and without
  // counting rows exactly.
  double energy_after(const Label& stepped, const MovePerOperand& moves,
                      const std::array<TableIndex, operand_count>& index,
                      const std::array<Outside, operand_count>& outside) const;
  static TableWork moves_of(const TableWork& work);
  // Returns an energy of the joint table less all rounding in its sums.
  static double less_rounding(double energy) { return energy * (1 - 1e-12); }

  // True if both labels have the same possible continuations, which add the same costs to both.
  bool same_past(const Label& a, const Label& b) const;
  // Places a loop of one factor inside all loops placed so far. Returns false if a memory overflows as a
  // result.
  bool place(Label& stepped, std::size_t dim, std::size_t factor, Int prescribed_left) const;
  template <typename Visit>
  void each_step(const Label& label, Visit visit) const;

  RowWalk row_walk(const Path& path, const std::array<LatticeNode, dim_count>& inside, std::size_t x,
                   Int width) const;

  const PimProblem* problem_ = nullptr;
  Tables tables_{};
  OperandChains chains_;  // copied, since a solution may be read after the tables are freed (NestRun)
  FixedVector<CouplingMemory, max_shared_memories> shared_;
  SharedSlots slot_{};
  std::array<bool, operand_count> has_rows_{};
  std::array<double, operand_count> home_lanes_{};  // lanes outside the homes, which the tables do not count
  std::array<Extents, operand_count>
      below_dram_{};  // per operand, spatial extents of the axes below its home
  std::array<RowFloor, operand_count> row_floor_{};
  Staircase staircase_;
  bool needs_latency_ = true;
  bool needs_energy_ = false;
  bool counts_rows_ = false;  // true if activations have a cost
  bool hybrid_ = false;       // true if closed formulas determine the activations
  Int base_latency_ = 0;
  double base_energy_ = 0;
  double root_bound_ = 0;
  JointTable joint_;
  bool has_joint_ = false;
  mutable RowCounter rows_;
  mutable std::vector<Child> children_;  // children of the current expansion
};

static_assert(StaircaseBranch<PimBranch>);

}  // namespace nestor::pim

// The columns and rows that say which mapping it is, for the formulations of all loop-nest spaces
// (docs/models/ mip.md, section 2; names after MIREDO): one loop per slot (X^L), factors on axes (X^U), each
// operand's path through its memories (X^Z, X^N, psi^U, psi^DM), and one-hot choices over enumerated extents
// (V^S, V^T).
//
// Slots are numbered from the outside in, inactive ones first. Gap g lies outside slot g; gap 0 outside all,
// gap `slots()` inside all. An operand that jumps at gap g from memory a to memory b begins b's content
// there.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/loopnest/mip/known_nest.h"
#include "model/loopnest/mip/program.h"
#include "model/loopnest/search/nest_problem.h"

namespace nestor::mip {

/// What a space allows.
struct NestOptions {
  bool double_buffers = true;
  bool ordered = true;  ///< one order of loops that commute is enough
};

/// One possible loop of a slot.
struct LoopChoice {
  std::size_t dim = 0;
  std::size_t node = 0;
  Index column = 0;
};

/// One possible set of factors on an axis, as lattice nodes.
struct AxisChoice {
  std::array<std::size_t, dim_count> node{};
  Index column = 0;
};

/// An operand leaves memory `from` for `to` at a gap.
struct Jump {
  std::size_t gap = 0;
  std::size_t from = 0;
  std::size_t to = 0;
  bool doubled = false;
  bool edge = false;  ///< out of a home without loops: a fill or a drain, once
  Index column = 0;
};

/// One possible combination of extents.
struct ExtentChoice {
  Extents extents = unit_extents;
  std::size_t variant = 0;
  Index column = 0;
};

/// What a one-hot choice over extents is of.
struct ExtentQuery {
  std::string name;  ///< of its columns and rows, unique
  Meaning meaning;   ///< of its columns; extents are added
  DimSet dims{};     ///< whose extents are told apart
  Operand operand = Operand::I;
  std::size_t memory = no_memory;  ///< whose content counts; none: axes alone
  std::size_t axis = 0;            ///< axes [axis, axis_end) count
  std::size_t axis_end = max_axes;
  Sum selected = 1.0;  ///< 1 if a choice is made, otherwise all are 0
  std::size_t variants = 1;
  std::size_t known_variant = 0;
  /// Whether these extents may occur, in this variant; and what they stand for.
  std::function<bool(const Extents&, std::size_t)> allows = nullptr;
  std::function<double(const Extents&, std::size_t)> figure = nullptr;

  static constexpr std::size_t no_memory = max_memories;
};

class NestProgram {
 public:
  NestProgram(Program& program, const NestProblem& problem, const Hierarchy& machine, const Mapping* known,
              const NestOptions& options);

  /// False if the known mapping cannot be expressed; then there is no known solution.
  bool knows() const { return known_.has_value(); }
  const KnownNest& known() const { return *known_; }

  Program& program() { return program_; }
  const LayerShape& layer() const { return problem_.layer; }
  const Hierarchy& machine() const { return machine_; }
  const Lattices& lattices() const { return lattices_; }
  std::size_t slots() const { return slots_; }
  const std::vector<LoopChoice>& loops(std::size_t slot) const { return loops_[slot]; }
  Index idle(std::size_t slot) const { return idle_[slot]; }
  const std::vector<AxisChoice>& axis(std::size_t axis) const { return axes_[axis]; }
  const std::vector<Jump>& jumps(Operand operand) const { return jumps_[index_of(operand)]; }
  /// The operand's memories, home first.
  const std::vector<std::size_t>& chain(Operand operand) const { return chains_[index_of(operand)]; }

  /// psi^U: whether an operand uses a memory of its chain (Eq. 4).
  Sum used(Operand operand, std::size_t memory) const;
  /// X^N: whether transfers into `to` come from `from` (Eq. 5).
  Sum transfers(Operand operand, std::size_t from, std::size_t to) const;
  /// psi^DM: whether a memory is double-buffered for an operand; a constant 0 where it cannot be.
  Sum doubled(Operand operand, std::size_t memory) const;
  /// X^Z: whether a slot is in the content of a memory: in its block or further inside.
  Sum inside(std::size_t slot, Operand operand, std::size_t memory) const;
  /// How often factor k of a dimension lies in a slot, on the axes [axis, end), in the content of a memory.
  Sum in_slot(std::size_t slot, std::size_t dim, std::size_t k) const;
  Sum on_axes(std::size_t axis, std::size_t dim, std::size_t k) const;
  Sum in_content(Operand operand, std::size_t memory, std::size_t dim, std::size_t k);

  /// V^S, V^T: exactly one of the extents, those of a content and the axes below it (Eqs. 6 to 8, 10).
  std::vector<ExtentChoice> choose_extents(const ExtentQuery& query);
  /// A choice of the products of loops over `dims` outside a memory's content, all dimensions alike.
  std::vector<ExtentChoice> choose_outside(const std::string& name, const Meaning& meaning, DimSet dims,
                                           Operand operand, std::size_t memory);
  /// The mapping that the columns' values say; nothing if a one-hot choice has not exactly one.
  std::optional<Mapping> mapping(const std::vector<double>& values) const;

 private:
  void add_axes();
  void add_loops();
  void add_paths(Operand operand);
  void add_path_rows(Operand operand);
  void add_placement();
  void add_order();
  void add_fixed_loops();
  void add_stationary();
  bool is_allowed(std::size_t axis, const Extents& factors) const;
  Index jump(Operand operand, Jump jump);
  /// Rows that tie the counts of a choice's nodes to `counts`, where it is made.
  void tie(const ExtentQuery& query, const std::vector<std::size_t>& dims,
           const std::vector<std::vector<std::size_t>>& nodes, const std::vector<ExtentChoice>& choices,
           const std::function<Sum(std::size_t dim, std::size_t k)>& counts);

  Program& program_;
  const NestProblem& problem_;
  const Hierarchy& machine_;
  NestOptions options_;
  Lattices lattices_;
  std::size_t slots_;
  std::optional<KnownNest> known_;
  std::vector<std::vector<LoopChoice>> loops_;
  std::vector<Index> idle_;
  std::vector<std::vector<AxisChoice>> axes_;
  std::array<std::vector<std::size_t>, operand_count> chains_;
  std::array<std::vector<Jump>, operand_count> jumps_;
  std::array<std::vector<std::array<Index, max_memories>>, operand_count> at_;  ///< X^Z per slot and memory
  std::vector<std::pair<std::array<std::size_t, 4>, Index>> contents_;
};

/// The sum over choices of a figure that they were given.
Sum total(const Program& program, const std::vector<ExtentChoice>& choices);

}  // namespace nestor::mip

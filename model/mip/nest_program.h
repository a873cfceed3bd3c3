// The columns and rows that determine the mapping, for the formulations of all loop-nest spaces
// (docs/models/mip.md, section 2; names after MIREDO). They describe one loop per slot (X^L), the factors on
// axes (X^U), and each operand's path through its memories (X^Z, X^N, psi^U, psi^DM). One-hot choices select
// among enumerated extents (V^S, V^T).
//
// Slots are numbered from the outside in, inactive ones first. Gap g is just outside slot g; gap 0 is outside
// all slots and gap `slots()` is inside all slots. If an operand jumps from memory a to memory b at gap g,
// the content of b begins there.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/loopnest/search/nest_problem.h"
#include "model/mip/known_nest.h"
#include "model/mip/program.h"

namespace nestor::mip {

/// Options of a space.
struct NestOptions {
  bool double_buffers = true;
  bool ordered = true;  ///< true to impose one order on loops that commute
};

/// A possible loop of a slot.
struct LoopChoice {
  std::size_t dim = 0;
  std::size_t node = 0;
  Index column = 0;
};

/// A possible set of factors on an axis, as lattice nodes.
struct AxisChoice {
  std::array<std::size_t, dim_count> node{};
  Index column = 0;
};

/// Possible jump of an operand from memory `from` to memory `to` at a gap.
struct Jump {
  std::size_t gap = 0;
  std::size_t from = 0;
  std::size_t to = 0;
  bool doubled = false;
  bool edge = false;  ///< from a home without loops: a single fill or drain
  Index column = 0;
};

/// A possible combination of extents.
struct ExtentChoice {
  Extents extents = unit_extents;
  std::size_t variant = 0;
  Index column = 0;
};

/// Description of a one-hot choice over extents.
struct ExtentQuery {
  std::string name;  ///< unique prefix of the names of its columns and rows
  Meaning meaning;   ///< meaning of its columns; extents are added
  DimSet dims{};     ///< dimensions whose extents are distinguished
  Operand operand = Operand::I;
  std::size_t memory = no_memory;  ///< memory whose content contributes extents; no_memory: only axes
                                   ///< contribute
  std::size_t axis = 0;            ///< axes [axis, axis_end) contribute extents
  std::size_t axis_end = max_axes;
  Sum selected = 1.0;  ///< 1 if a choice is made; if 0, all columns are 0
  std::size_t variants = 1;
  std::size_t known_variant = 0;
  /// `allows` is true if these extents may occur in this variant. `figure` returns the constant that they
  /// denote.
  std::function<bool(const Extents&, std::size_t)> allows = nullptr;
  std::function<double(const Extents&, std::size_t)> figure = nullptr;

  static constexpr std::size_t no_memory = max_memories;
};

class NestProgram {
 public:
  NestProgram(Program& program, const NestProblem& problem, const Hierarchy& machine, const Mapping* known,
              const NestOptions& options);

  /// False if there is no known mapping or if these columns cannot express it; there is then no known
  /// solution.
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
  /// Returns the memories of the operand, home first.
  const std::vector<std::size_t>& chain(Operand operand) const { return chains_[index_of(operand)]; }

  /// Returns psi^U: 1 if an operand uses a memory of its chain (Eq. 4).
  Sum used(Operand operand, std::size_t memory) const;
  /// Returns X^N: 1 if transfers into `to` come from `from` (Eq. 5).
  Sum transfers(Operand operand, std::size_t from, std::size_t to) const;
  /// Returns psi^DM: 1 if a memory is double-buffered for an operand; a constant 0 if it cannot be.
  Sum doubled(Operand operand, std::size_t memory) const;
  /// Returns a sum of X^Z: 1 if a slot is in the content of a memory, that is, in its block or further
  /// inside.
  Sum inside(std::size_t slot, Operand operand, std::size_t memory) const;
  /// Return the number of occurrences of factor k of a dimension: in a slot, on the axes [axis, end), or in
  /// the content of a memory.
  Sum in_slot(std::size_t slot, std::size_t dim, std::size_t k) const;
  Sum on_axes(std::size_t axis, std::size_t dim, std::size_t k) const;
  Sum in_content(Operand operand, std::size_t memory, std::size_t dim, std::size_t k);

  /// Adds a one-hot choice (V^S, V^T) among the combinations of the extents of a content and the axes below
  /// it (Eqs. 6 to 8, 10).
  std::vector<ExtentChoice> choose_extents(const ExtentQuery& query);
  /// Adds a one-hot choice among the possible extents of the loops over `dims` that are outside a memory's
  /// content.
  std::vector<ExtentChoice> choose_outside(const std::string& name, const Meaning& meaning, DimSet dims,
                                           Operand operand, std::size_t memory);
  /// Returns the mapping that the values of the columns describe, or nothing if a one-hot choice of the
  /// mapping does not select exactly one column.
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
  /// Adds rows that equate the factor counts of the chosen nodes with `counts` if the choice is made.
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

/// Returns the sum of the figures of the choices, each multiplied by its column.
Sum total(const Program& program, const std::vector<ExtentChoice>& choices);

}  // namespace nestor::mip

// The problem to check: a machine, a layer, an objective, mappings and claims from a result file. The code
// that reads the JSON is independent of the rest of Nestor; its specification is docs/models/cim.md.
#pragma once

#include <array>
#include <functional>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "check/layer_form.h"

namespace nestor::check {

enum Operand : std::size_t { I, W, O };
inline constexpr std::array<Operand, 3> operands = {I, W, O};
enum Dim : std::size_t { N, K, C, P, Q, R, S, G };
inline constexpr std::size_t dim_count = 8;
inline constexpr std::size_t most_memories = 16;
inline constexpr std::string_view dim_letters = "NKCPQRSG";
inline constexpr std::string_view operand_letters = "IWO";
using Extents = std::array<Int, dim_count>;
inline constexpr Extents ones = {1, 1, 1, 1, 1, 1, 1, 1};

inline bool is_relevant(std::size_t dim, Operand operand) {
  if (dim == G) return true;
  if (operand == W) return dim == K || dim == C || dim == R || dim == S;
  return operand == I ? dim != K : dim == N || dim == K || dim == P || dim == Q;
}
inline bool is_reduction(std::size_t dim) { return !is_relevant(dim, O); }

/// A truth value for each memory and operand.
using Pairs = std::array<std::array<bool, 3>, most_memories>;

/// One group of a layer, or several groups as the dimension G.
struct Layer {
  Extents bounds{};
  std::array<Int, 2> stride{1, 1};
  std::array<Int, 2> dilation{1, 1};
  std::array<Int, 3> bits{8, 8, 8};
  Int partial_sum = 32;
  bool operator==(const Layer&) const = default;
  /// Returns the number of elements of an operand's tile with these extents.
  Int elements(Operand operand, const Extents& tile) const;
};

struct Memory {
  std::string name;
  Int capacity = std::numeric_limits<Int>::max();
  Int bandwidth = 1;
  bool double_buffer = false;
  Wide read = 0;  ///< energy per bit; all energies are in the machine's unit
  Wide write = 0;
  std::size_t place = 0;  ///< position in the hierarchy, from the outside
};
struct Axis {
  std::string name;
  Int size = 1;
  std::array<bool, dim_count> dims{};
  std::size_t place = 0;
};
/// Constraints of --fix on an axis.
struct FixedAxis {
  std::array<bool, dim_count> dims{};  ///< dimensions that the axis can carry
  Extents factors{};                   ///< exact factors; 0 means free
  double share = 0;                    ///< minimum share of the axis's lanes that must be used
  bool operator==(const FixedAxis&) const = default;
};
struct Machine {
  std::vector<Memory> memories;
  std::vector<Axis> axes;
  Int mvm_cycles = 1;
  Wide mac = 0;
  Wide leakage = 0;
  Wide unit = 1;                                   ///< units of energy in a pJ
  std::array<std::vector<std::size_t>, 3> chains;  ///< memories of an operand, its home first

  bool is_fixed = false;              ///< true if only mappings that satisfy --fix are considered
  std::vector<FixedAxis> fixed_axes;  ///< one for each axis if something is fixed
  Pairs needed{};                     ///< true if the operand must have a block in the memory
  /// True if a block can move from one position of a chain to another without skipping a needed memory.
  bool may_pass(Operand operand, std::size_t from, std::size_t to) const {
    for (std::size_t c = std::min(from, to) + 1; c < std::max(from, to); ++c)
      if (needed[chains[operand][c]][operand]) return false;
    return true;
  }
};

/// Factors of every axis, per dimension.
using Spatial = std::vector<Extents>;

/// The move of an operand at a loop, if any: to a position in its chain, with one or two buffers.
struct Move {
  bool moves = false;
  bool doubled = false;
  std::uint8_t to = 0;
  bool operator==(const Move&) const = default;
};
/// A nest: its parent and the loop that it adds.
struct LoggedNest {
  std::uint32_t parent = 0;  ///< 0 is the nest without loops, i is nest i of the list
  std::uint8_t dim = 0;
  Int factor = 1;
  std::array<Move, 3> moves{};
};
struct LoggedChoice {
  Spatial spatial;
  std::vector<LoggedNest> nests;
};
/// Cost of a mapping, or a lower bound on costs.
struct Cost {
  Int latency = 0;
  Wide energy = 0;  ///< energy without leakage; if sizes are part of the objective, the negative gain
};

/// Cost of a possibly illegal mapping.
struct MappingCost : Cost {
  std::string fault;  ///< reason why the mapping is illegal, or empty
};

/// Cost in units: a product, or a weighted sum of cycles and units of energy. A front has no single cost.
struct Objective {
  bool miredo = false;  ///< true: latency model `miredo`; false: `stall`
  bool follows_latency = true;
  bool is_front = false;
  bool is_product = false;
  bool counts_sizes = false;  ///< true if the sum of block sizes times memory positions is a gain and
                              ///< replaces energy
  Wide per_cycle = 0;
  Wide per_energy = 0;  ///< weight of energy; if 0, energies are not computed
  Wide unit = 1;        ///< units in a cost of 1
};

/// The statement that a proof must show: no mapping is better than a threshold, or a front covers all
/// mappings. Without a threshold or points, the statement is that no mapping exists. A node is closed if the
/// statement holds for every pair (latency, energy) that its lower bounds allow.
class Claim {
 public:
  Claim(const Objective& objective, const Machine& machine)
      : objective_(objective), leakage_(objective.counts_sizes ? 0 : machine.leakage) {}

  Wide with_leakage(const Cost& parts) const { return plus(parts.energy, times(leakage_, parts.latency)); }
  /// Returns the cost in units of the objective.
  Wide cost(const Cost& parts) const {
    const Wide energy = with_leakage(parts);
    if (objective_.is_product) return times(energy, parts.latency);
    return plus(times(objective_.per_cycle, parts.latency), times(objective_.per_energy, energy));
  }

  void nothing_is_below(const Decimal& cost) { threshold_ = cost.least(objective_.unit); }
  /// Adds a point of the front. Returns true if it is the first point, or slower than the previous point and
  /// lower in energy.
  bool is_covered_by(Int cycles, const Decimal& pj) {
    points_.push_back({cycles, pj.least(objective_.unit)});
    const Cost* before = points_.size() > 1 ? &points_.end()[-2] : nullptr;
    return before == nullptr || (cycles > before->latency && points_.back().energy < before->energy);
  }

  const Objective& objective() const { return objective_; }
  bool closes(const Cost& least) const {
    if (!objective_.is_front) return threshold_ && cost(least) >= *threshold_;
    return std::any_of(points_.begin(), points_.end(), [&](const Cost& point) {
      return least.latency >= point.latency && with_leakage(least) >= point.energy;
    });
  }

 private:
  Objective objective_;
  Wide leakage_;
  std::optional<Wide> threshold_;
  std::vector<Cost> points_;  ///< points of the front, with leakage
};

/// Reads a machine. `machine_form` is the form of machines in the space.
Machine read_machine(const Json& architecture, Form machine_form = cim_machine_form);
/// Restricts the machine to mappings that satisfy the constraints of a result (docs/formats.md). Throws
/// Unreadable for outer loops and stationary operands, because there are no rules for them.
void fix(Machine& machine, const Json& result);
bool keeps_fixed_axes(const Spatial& spatial, const Machine& machine);
Layer read_layer(const Json& record);
Objective read_objective(const Json& result, const Machine& machine);

/// Returns the divisors in ascending order.
std::vector<Int> divisors_of(Int number);
/// True if exchanging P with Q and R with S maps the layer and the axes onto themselves. Mirrored mappings
/// then have equal costs.
bool is_symmetric(const Layer& layer, const Machine& machine);
Spatial mirror(Spatial spatial);
/// Returns the representative of a choice and its mirror image.
Spatial standing_for(const Spatial& spatial, const Layer& layer, const Machine& machine);

/// Constants of all nests below a spatial choice.
struct SpatialLanes {
  struct Around {
    Extents below = ones;        ///< product of the spatial factors below the memory, per dimension
    Int above = 1;               ///< lanes of the axes above the memory
    bool reduced_above = false;  ///< true if one of these axes reduces
  };
  /// Throws Unreadable if a factor does not divide its dimension.
  SpatialLanes(const Layer& layer, const Machine& machine, const Spatial& spatial);

  Extents temporal;  ///< bounds divided by the axes' factors
  Int steps = 1;     ///< product of `temporal`
  std::vector<Around> memories;
};

bool axes_carry(const Spatial& spatial, const Machine& machine);
/// Returns all ways to place factors of a layer's dimensions on a machine's axes, each in the form of its
/// representative.
std::set<Spatial> spatial_choices(const Layer& layer, const Machine& machine,
                                  const std::function<Spatial(const Spatial&)>& standing);

/// Lower bound on the cost of all mappings of a layer.
Cost least_cost(const Layer& layer, const Machine& machine);
/// True if no cost decreases when one factor increases.
inline bool grows_with_factors(const Machine& machine, const Objective& objective) {
  return !objective.counts_sizes && !machine.is_fixed;
}

/// Texts for messages.
std::string words(const Extents& bounds);
std::string words(const Spatial& spatial, const Machine& machine);
std::string words(const LoggedNest& nest, const Machine& machine);

// Functions that read parts of result files.
std::string text_of(const Json& object, const char* key);
/// Reads an integer from 1 to `largest`.
Int integer_of(const Json& node, const std::string& what, Int largest = Int{1} << 40);
std::size_t place_of(const std::string& letter, std::string_view letters);
std::size_t memory_named(const Machine& machine, const std::string& name);
Spatial read_spatial(const Json& mapping, const Machine& machine);
/// Returns the position in the operand's chain of the memory that a loop's "at" names, or the length of the
/// chain if the memory is not in the chain.
std::size_t position_of(const Json& at, Operand operand, const Machine& machine);

}  // namespace nestor::check

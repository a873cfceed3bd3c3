// Lower bound on the energy, or on the cycles under the `stall` model, of every mapping with given spatial
// factors, from linear programs. docs/linear_programs.md, "The rows of the bound", derives these programs.
//
// In the logarithms z of the temporal extents inside each memory's content, sizes are linear, and traffic is
// the exponential of a linear expression, which tangents bound from below. Unlike a bound per operand, this
// bound uses the fact that all operands share one loop order: of any two contents, one is inside the other.
// Linear programs cannot express this disjunction. Therefore, the computation branches, best first, on pairs
// of contents that are not nested in a solution, up to a limit of nodes. Whenever the search stops, the least
// bound among the open nodes is valid.
#pragma once

#include <functional>
#include <limits>
#include <vector>

#include "model/loopnest/architecture.h"
#include "model/loopnest/layer.h"
#include "model/loopnest/mapping.h"

namespace nestor::cim {

/// Limits that a partial placement imposes on the contents of the memories that operands may use.
struct ContentLimits {
  enum class Use : std::uint8_t { open, yes, no };
  struct Content {
    Use use = Use::open;
    Extents least = unit_extents;  ///< extents of the temporal loops inside, if the memory is used
    Extents most = free_extents();
  };
  std::array<std::array<Content, operand_count>, max_memories> content{};

 private:
  static constexpr Extents free_extents() {
    Extents extents{};
    extents.fill(std::numeric_limits<Int>::max());
    return extents;
  }
};

enum class RelaxedCost : std::uint8_t { energy, stall_cycles };

struct RelaxationOptions {
  int node_limit = 400;  ///< limit on the nodes of the branching, over all patterns of use
  /// The search stops when the bound reaches this value, such as the incumbent's energy.
  double stop_at = std::numeric_limits<double>::infinity();
  /// Added to every logarithm in the safe direction. Only tests change it, to a negative value that makes
  /// rounding errors unsafe.
  double log_margin = 1e-12;
  /// Polled before the first program of each pattern and before each branching. When it returns true, the
  /// search stops with the current bound (possibly 0).
  std::function<bool()> give_up = {};
};

/// Content of a memory that an operand uses (other than its home), in the solution of the open linear program
/// with the least bound.
struct RelaxedContent {
  Operand operand = Operand::I;
  std::size_t memory = 0;
  std::array<double, dim_count> extents{};  ///< extents of temporal loops
};

struct RelaxedBound {
  double cost = 0;       ///< lower bound on the cost with these spatial factors, without leakage
  double root_cost = 0;  ///< the bound before any branching on nesting
  int nodes = 0;         ///< linear programs solved
  std::uint64_t pivots = 0;
  bool closed = false;  ///< true if no pair is left to branch on at the least bound
  std::vector<RelaxedContent> contents;
};

/// Returns a lower bound on the cost of all mappings with the factors `spatial`, as in Mapping::spatial, that
/// respect `limits`. If the bound is infinite, there is no such mapping.
RelaxedBound relaxed_bound(RelaxedCost cost, const LayerShape& layer, const Architecture& machine,
                           const SpatialFactors& spatial, const RelaxationOptions& options = {},
                           const ContentLimits& limits = {});

}  // namespace nestor::cim

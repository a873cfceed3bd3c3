// A lower bound on the energy, or on the cycles under the `stall` model, of every mapping that has given
// spatial factors, from linear programs.
//
// In the logarithms z of the temporal extents inside each memory's content, sizes are linear and traffic is
// exp(linear), which tangents bound from below. What this sees, and a bound per operand cannot, is that all
// operands share one loop order: of any two contents one lies within the other. Linear programs cannot say
// "or", so the bound branches on the pairs that a solution leaves unnested, best first, up to a limit of
// nodes; whenever it stops, the least bound among the open nodes holds.
//
// Notation, per operand x with the memories it uses u_0 (home), u_1, ... u_r (innermost):
//   E_{i,d}   extent of temporal loops of dimension d inside the content of u_i;  z = ln E
//   B_d       temporal bound of d under the spatial factors;  0 <= z_{r,d} <= ... <= z_{1,d} <= ln B_d
// Derivation of the rows (model-cim sections 4, 5 and 7):
//   W  elements moved into u_i    prod_d B_d * exp(-sum of z_{i,d} over d in N, P, Q)
//   I  the halo under-estimated   an input extent is at least its P part and at least its R part (its Q part,
//                                 its S part): four bounds prod_d B_d * exp(-z_K - z_{R or P} - z_{S or Q})
//   O  D = prod of B_d over N, K, P, Q; visits X = exp(sum of ln B_d - z_{i,d} over C, R, S) >= 1:
//      energy >= D * (first + (X - 1) * (out + back)), first at the narrower of the two widths
//   capacity of m, not a home     sum over x of bits * elements <= capacity; elements = exp(sum of z over
//                                 relevant d) times spatial factors below m, I under-estimated as above
// Which memories an operand uses is enumerated. Constants of energy: compute and the innermost accesses of I
// and O.
// Cycles t (model-cim 6b): the slot of a transfer takes at least its T (O: T'), and so does every slot
// outside it per iteration inside, so that the steady state takes T * (times - 1); T itself is paid with the
// first tile of I and W or the last of O. With T at least bits / bandwidth of the source, and all of O moving
// at the width of partial sums where some come back:
//   t >= steps * mvm cycles        t >= bits into u_i / bandwidth (rows as above)
//   O    t >= D_n * X              t >= D_p * (2X - 2)     D_n, D_p = D of the bits at final and partial
//   width
// Of a partial placement more is known: between which extents the content of a memory lies (ContentLimits).
// They become bounds on z, and patterns of use that contradict them are left out.
// Safety: logarithms and tangents are rounded to the side that weakens, programs are bounded by
// simplex::safe_dual_bound, never by the solver's objective.
#pragma once

#include <functional>
#include <limits>
#include <vector>

#include "model/loopnest/architecture.h"
#include "model/loopnest/layer.h"
#include "model/loopnest/mapping.h"

namespace nestor::cim {

/// What a partial placement says of the contents of the memories that operands may use.
struct ContentLimits {
  enum class Use : std::uint8_t { open, yes, no };
  struct Content {
    Use use = Use::open;
    Extents least = unit_extents;  ///< of the temporal loops inside; if the memory is used
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
  int node_limit = 400;  ///< of the branching on nesting, over all patterns of use
  /// Enough: the search stops once the bound is this high (the incumbent's energy, say).
  double stop_at = std::numeric_limits<double>::infinity();
  /// Added to every logarithm on the safe side. Only tests change it: a negative one plants a rounding error.
  double log_margin = 1e-12;
  /// Asked before every program; once it says yes, what is known then is the answer (possibly 0).
  std::function<bool()> give_up = {};
};

/// What the solution of the least open program has inside a memory that an operand uses, its home aside.
struct RelaxedContent {
  Operand operand = Operand::I;
  std::size_t memory = 0;
  std::array<double, dim_count> extents{};  ///< of temporal loops
};

struct RelaxedBound {
  double cost = 0;       ///< no mapping with these spatial factors costs less (leakage not counted)
  double root_cost = 0;  ///< the same before any branching on nesting
  int nodes = 0;         ///< linear programs solved
  std::uint64_t pivots = 0;
  bool closed = false;  ///< the node limit did not matter
  std::vector<RelaxedContent> contents;
};

/// `spatial` as in Mapping::spatial; `limits` bind all mappings that are meant. Infinite if no mapping fits.
RelaxedBound relaxed_bound(RelaxedCost cost, const LayerShape& layer, const Architecture& machine,
                           const std::array<Extents, max_axes>& spatial,
                           const RelaxationOptions& options = {}, const ContentLimits& limits = {});

}  // namespace nestor::cim

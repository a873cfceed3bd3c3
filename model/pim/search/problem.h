// Search problem of the pim space: a machine, an objective and the allowed layouts, in addition to the parts
// common to all loop-nest problems.
#pragma once

#include <memory>
#include <optional>

#include "model/loopnest/objective_kind.h"
#include "model/loopnest/search/front_problem.h"
#include "model/loopnest/search/nest_problem.h"
#include "model/loopnest/search/spatial_choice.h"
#include "model/pim/evaluate.h"
#include "model/pim/rows/row_memo.h"

namespace nestor::pim {

using nestor::front_problem;
using nestor::ObjectiveKind;

struct PimProblem : NestProblem {
  PimMachine machine;
  NestObjective objective;  ///< objective of latency and energy
  LayoutSet layouts = all_layouts;
  /// With a bypass table, every stored pair is used, with or without loops. No other pair has a loop, except
  /// those of homes and innermost memories.
  std::optional<StoredPairs> table;
  /// If true, the search includes only one of several spatial choices with equal joined().
  bool joins_axes = true;
  /// Row activations found so far, shared by all searches of the problem.
  std::shared_ptr<RowMemo> row_memo = std::make_shared<RowMemo>();

  bool follows_latency() const { return objective.needs_latency() || constraints.limits_latency(); }
  bool follows_energy() const { return objective.needs_additive() || constraints.limits_additive(); }
};

/// Returns a problem with all prime factors of the bounds and without constraints.
PimProblem make_problem(const LayerShape& layer, const PimMachine& machine, const NestObjective& objective,
                        LayoutSet layouts = all_layouts);

/// Returns the problem with a bypass table added.
PimProblem with_table(PimProblem problem, const StoredPairs& table);

/// Returns the pairs that a problem's bypass table stores in addition to homes and innermost memories.
StoredPairs stored_pairs(const PimProblem& problem);

/// Sets the layout of every operand in DRAM rows to the allowed layout with the fewest activations.
void choose_layouts(const PimProblem& problem, PimMapping& mapping, RowCounter& rows);

double objective_value(const NestObjective& objective, const PimEvaluation& evaluation);

/// Returns a lower bound on the energy: that of the multiply-accumulates.
double energy_floor(const PimProblem& problem);

/// True if opening rows affects a cost that the problem tracks.
bool rows_cost(const PimProblem& problem);

/// Returns the compute cycles of this number of temporal steps, including the reduction latency.
Int compute_cycles(const PimMachine& machine, Int steps);

/// True if every dimension has factors on at most one of the dim_once axes.
bool keeps_dims_once(const PimMachine& machine, const SpatialChoice& choice);

/// Returns the choice after all factors have been moved outward as far as no memory is between the axes. Two
/// choices with equal results have the same mappings at the same costs. The result may exceed the size of an
/// axis.
SpatialChoice joined(const PimProblem& problem, const SpatialChoice& choice);

/// Returns the choice with only the factors of reductions on the axes outside all homes; the other factors of
/// these axes become temporal. Choices with equal results form a group: in all of them, the energy of moving
/// the bits of a content depends only on the content (docs/models/pim.md, section 7.3). Returns nothing if
/// the operands do not have all lanes of these axes in common.
std::optional<SpatialChoice> group_of(const PimProblem& problem, const SpatialChoice& choice);

}  // namespace nestor::pim

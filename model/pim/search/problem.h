// One search problem of the pim space: a machine, an objective and the layouts to choose from, beside what
// all loop-nest problems have.
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
  NestObjective objective;  ///< of latency and energy
  LayoutSet layouts = all_layouts;
  /// With a bypass table, every stored pair is used, loops or not, and no other holds a loop.
  std::optional<StoredPairs> table;
  /// Of choices that differ only by equal axes changed for each other, one is enough.
  bool twin_axes = true;
  /// Row activations counted so far, shared by all searches of the problem.
  std::shared_ptr<RowMemo> row_memo = std::make_shared<RowMemo>();

  bool follows_latency() const { return objective.needs_latency() || constraints.limits_latency(); }
  bool follows_energy() const { return objective.needs_additive() || constraints.limits_additive(); }
};

/// A problem with full prime factors and nothing fixed.
PimProblem make_problem(const LayerShape& layer, const PimMachine& machine, const NestObjective& objective,
                        LayoutSet layouts = all_layouts);

/// The same with one bypass table.
PimProblem with_table(PimProblem problem, const StoredPairs& table);

/// The pairs that a problem's bypass table stores beside homes and innermost memories.
StoredPairs stored_pairs(const PimProblem& problem);

/// Gives every operand of a mapping its layout of fewest activations.
void choose_layouts(const PimProblem& problem, PimMapping& mapping, RowCounter& rows);

double objective_value(const NestObjective& objective, const PimEvaluation& evaluation);

/// No mapping costs less energy.
double energy_floor(const PimProblem& problem);

/// Whether opening rows costs anything that the problem follows.
bool rows_cost(const PimProblem& problem);

/// Cycles of compute for so many temporal steps.
Int compute_cycles(const PimMachine& machine, Int steps);

/// Whether no dimension has factors on two axes of which one at most may have any.
bool keeps_dims_once(const PimMachine& machine, const SpatialChoice& choice);

/// Whether no twin of a choice, with equal neighbouring axes changed for each other, comes before it.
bool is_first_twin(const PimProblem& problem, const SpatialChoice& choice);

}  // namespace nestor::pim

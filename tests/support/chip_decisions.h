// Enumeration of all decisions of a small network on a chip: every cut, every kind of segment, every number
// of copies, parts and phases, and both places for every product (crossbars or digital unit). Costs come from
// chip::evaluate; the enumeration uses no code of the search.
#pragma once

#include <functional>

#include "model/chip/evaluate.h"

namespace nestor::tests {

using DecisionVisitor = std::function<void(const chip::Decisions&, const chip::ChipEvaluation&)>;

/// Calls visit(decisions, figures) for all legal decisions. Returns false without a call if there are too
/// many to list.
bool each_chip_decision(const chip::ChipProblem& problem, chip::Levels levels, const DecisionVisitor& visit);

}  // namespace nestor::tests

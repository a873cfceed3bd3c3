// All decisions of a small network on a chip, one by one: every cut, every number of copies, parts and
// phases, every product on either side. Costs come from chip::evaluate; nothing of the search is used to list
// them.
#pragma once

#include <functional>

#include "model/chip/evaluate.h"

namespace nestor::test {

using DecisionVisitor = std::function<void(const chip::Decisions&, const chip::ChipEvaluation&)>;

/// Calls visit(decisions, figures) for all legal decisions; false if there are too many to list.
bool each_chip_decision(const chip::ChipProblem& problem, chip::Levels levels, const DecisionVisitor& visit);

}  // namespace nestor::test

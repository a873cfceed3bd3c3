// All decisions of a small network on a chip, one by one: every cut, every number of copies, parts and
// phases, and both sides for every product. Costs come from chip::evaluate; the listing uses no code of the
// search.
#pragma once

#include <functional>

#include "model/chip/evaluate.h"

namespace nestor::test {

using DecisionVisitor = std::function<void(const chip::Decisions&, const chip::ChipEvaluation&)>;

/// Calls visit(decisions, figures) for all legal decisions. Returns false if there are too many to list.
bool each_chip_decision(const chip::ChipProblem& problem, chip::Levels levels, const DecisionVisitor& visit);

}  // namespace nestor::test

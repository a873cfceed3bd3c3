// Random machines, networks and decisions of the chip space that can be executed: kernels fit their inputs,
// factors of products fit each other. Every feature of the model turns up: joins, groups, products, pieces of
// what is larger than the chip, several segments, all modes and levels.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/random.h"
#include "model/chip/evaluate.h"

namespace nestor::test {

struct RandomChipCase {
  chip::ChipMachine machine;
  chip::ChipNetwork whole;    ///< as made
  chip::ChipNetwork network;  ///< after splitting
  std::optional<chip::ChipProblem> problem;
  chip::Decisions decisions;
};

/// The case of a seed; its address must not change, as the problem refers into it. Null where the drawn
/// network does not fit the drawn machine.
std::unique_ptr<RandomChipCase> random_chip_case(std::uint64_t seed);

/// Random legal decisions for a problem.
std::optional<chip::Decisions> random_chip_decisions(const chip::ChipProblem& problem, Random& random);

/// Level stream, and most pipelined segments as streams, where the mode and level mvm allow it.
void make_streams(chip::Mode mode, chip::Decisions& decisions, Random& random);

/// How many cases had each feature.
using Coverage = std::map<std::string, int>;
void add_coverage(const RandomChipCase& of, Coverage& coverage);

}  // namespace nestor::test

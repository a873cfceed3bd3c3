// Random machines, networks and decisions of the chip space that can be executed: kernels fit their inputs
// and the factors of a product fit each other. Every feature of the model occurs: joins, groups, products,
// pieces of operators larger than the chip, several segments, all modes and levels.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/random.h"
#include "model/chip/evaluate.h"

namespace nestor::tests {

struct RandomChipCase {
  chip::ChipMachine machine;
  chip::ChipNetwork whole;    ///< before splitting
  chip::ChipNetwork network;  ///< after splitting
  std::optional<chip::ChipProblem> problem;
  chip::Decisions decisions;
};

/// Returns the case of a seed, or null if the drawn network does not fit the drawn machine or no legal
/// decisions are drawn. The address of the case must not change, since its problem holds references into it.
std::unique_ptr<RandomChipCase> random_chip_case(std::uint64_t seed);

/// Draws random legal decisions for a problem. Returns nullopt if all of a fixed number of draws are illegal.
std::optional<chip::Decisions> random_chip_decisions(const chip::ChipProblem& problem, Random& random);

/// Sets level stream and makes most pipelined segments streams, if the mode and level mvm allow it.
void make_streams(chip::Mode mode, chip::Decisions& decisions, Random& random);

/// Number of cases with each feature.
using Coverage = std::map<std::string, int>;
void add_coverage(const RandomChipCase& of, Coverage& coverage);

}  // namespace nestor::tests

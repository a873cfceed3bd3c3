// Reader of DPU assembly in the form that the vendor's compiler prints. It converts a kernel to a program of
// slots and transfers. It tracks the values of registers, stack slots and the argument block to find the trip
// counts of loops and the sizes of transfers (docs/models/cnm.md, "Languages").
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "io/error.h"
#include "model/cnm/program.h"
#include "model/cnm/system.h"

namespace nestor::io {

/// Facts about a kernel that its text does not contain.
struct AssemblyFacts {
  std::vector<Int> arguments;    ///< words of the argument block
  std::string arguments_symbol;  ///< symbol of the argument block; empty: the first symbol that is read
  // Values of registers and stack slots on entry, by name; sorted, so that errors name the first wrong entry.
  std::map<std::string, Int> registers;
  std::map<std::string, Int> trips;      ///< number of trips, by label of the loop
  std::map<std::string, double> shares;  ///< share of taken branches, by label of the target
  Int multiply_k = cnm::default_multiply_k;
};

struct AssemblyKernel {
  std::string name;
  cnm::Program program;
  Int instructions = 0;
  std::vector<std::string> warnings;  ///< assumptions about branches and stack slots
};

Result<AssemblyKernel> read_assembly(std::string_view text, const std::string& file,
                                     const AssemblyFacts& facts, const cnm::System& system);

}  // namespace nestor::io

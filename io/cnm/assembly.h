// DPU assembly as the vendor's compiler prints it, read as a program of slots and transfers. Values of
// registers, of stack slots and of the argument block are followed, so that loops have trips and transfers
// sizes (docs/models/cnm.md, "Languages").
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/tables/hash_table.h"
#include "io/error.h"
#include "model/cnm/program.h"
#include "model/cnm/system.h"

namespace nestor::io {

/// What a reader of a kernel must be told where the text does not say it.
struct AssemblyFacts {
  std::vector<Int> arguments;    ///< words of the argument block
  std::string arguments_symbol;  ///< empty: the first that is read
  // In order: of several that are wrong the first is named.
  std::map<std::string, Int> registers;
  std::map<std::string, Int> trips;     ///< by label of the loop
  HashMap<std::string, double> shares;  ///< by label branched to
  Int multiply_k = cnm::default_multiply_k;
};

struct AssemblyKernel {
  std::string name;
  cnm::Program program;
  Int instructions = 0;
  std::vector<std::string> warnings;  ///< branches that depend on data
};

Result<AssemblyKernel> read_assembly(std::string_view text, const std::string& file,
                                     const AssemblyFacts& facts, const cnm::System& system);

}  // namespace nestor::io

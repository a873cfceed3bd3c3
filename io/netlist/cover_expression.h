// Conversion of the cover of a BLIF node to an expression. Covers of four to six inputs are converted via
// their truth table, which reveals parities and shared cofactors that a sum of products hides. All other
// covers become sums of products.
#pragma once

#include <string_view>
#include <vector>

#include "io/netlist/network_builder.h"

namespace nestor::io {

struct Cover {
  std::vector<SymbolId> inputs;
  std::vector<std::string_view> cubes;  ///< each has one of 0, 1 and - per input
  bool off_set = false;                 ///< true if the cubes list the zeros of the function
};

std::vector<PostfixToken> expression_of(const Cover& cover);

}  // namespace nestor::io

// The cover of a BLIF node as an expression. Narrow covers go through their truth table, which finds the
// parities and shared cofactors that a sum of products hides; wide ones stay sums of products.
#pragma once

#include <string_view>
#include <vector>

#include "io/netlist/network_builder.h"

namespace nestor::io {

struct Cover {
  std::vector<SymbolId> inputs;
  std::vector<std::string_view> cubes;  ///< each as long as inputs, of 0, 1 and -
  bool off_set = false;                 ///< the cubes say where the function is 0
};

std::vector<PostfixToken> expression_of(const Cover& cover);

}  // namespace nestor::io

// Main figures of a result's JSON under the same names for all spaces. The Python package and the C++ headers
// use them.
//
//   const auto figures = result_figures(json);
//   if (figures.whole.status == "optimal") use(figures.whole.objective);
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/files.h"

namespace nestor::report {

/// Figures of a whole result, or of a part: a layer, a kernel, or an operator of a compiled network.
struct PartFigures {
  std::string name;
  std::string status;       ///< status of the search; empty if nothing was searched
  std::int64_t repeat = 1;  ///< runs of the nest in the network: one per group and repeat
  io::Json objective;       ///< value of the objective in its unit; this and the next two are null if absent
  io::Json bound;           ///< the proved lower bound, in the same unit
  io::Json gap;             ///< largest share of the objective by which it can exceed the optimum
  const io::Json* mapping = nullptr;         ///< mapping in the result; null if there is none
  io::Json latency_by = io::Json::object();  ///< cycles by cause
  io::Json energy_by = io::Json::object();   ///< pJ by memory and operand, if the result has them
};

struct ResultFigures {
  PartFigures whole;  ///< status of the result or the worst of its layers; sums include repeats
  std::vector<PartFigures> layers;
};

/// Reads the JSON of any verb. Keys that are absent or of another type leave figures empty.
ResultFigures result_figures(const io::Json& result);

}  // namespace nestor::report

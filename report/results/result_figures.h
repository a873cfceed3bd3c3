// Figures of a result's JSON, whatever its space, under one set of names: what programs ask of a result
// first. The Python package and the C++ headers take them from here.
//
//   const auto figures = result_figures(json);
//   if (figures.whole.status == "optimal") use(figures.whole.objective);
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/files.h"

namespace nestor::report {

/// Figures of a whole result, or of a part: a layer, a kernel, an operator of a compiled network.
struct PartFigures {
  std::string name;
  std::string status;  ///< of the search; empty where nothing was searched
  std::int64_t repeat = 1;
  io::Json objective;  ///< the value of what was minimised, in its unit; this and the next two null if absent
  io::Json bound;      ///< the proved lower bound, in the same unit
  io::Json gap;        ///< the share by which the objective may exceed the optimum
  const io::Json* mapping = nullptr;         ///< within the result; null if there is none
  io::Json latency_by = io::Json::object();  ///< cycles by cause
  io::Json energy_by = io::Json::object();   ///< pJ by memory and operand, where the result has them
};

struct ResultFigures {
  PartFigures whole;  ///< its status is the worst of the layers, its sums count repeats
  std::vector<PartFigures> layers;
};

/// The JSON of any verb; keys that are absent or of another type leave figures empty.
ResultFigures result_figures(const io::Json& result);

}  // namespace nestor::report

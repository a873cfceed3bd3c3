// One line on how far `map` is: what is solved, and how the search at hand goes.
#pragma once

#include <string>

#include "solver/engine/observer.h"

namespace nestor::report {

struct MapProgress {
  std::size_t solved = 0;  ///< of `all`: shapes that differ, or kernels one by one
  std::size_t all = 0;
  std::string layer;  ///< at hand
  EngineProgress search;
  double seconds = 0;
};

std::string to_text(const MapProgress& progress);

}  // namespace nestor::report

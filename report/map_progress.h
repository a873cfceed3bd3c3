// One line on how far `map` is: what is solved, and how the search at hand goes.
#pragma once

#include <string>

#include "solver/engine/observer.h"

namespace nestor::report {

struct MapProgress {
  std::size_t solved = 0;  ///< of the `shapes` that differ
  std::size_t shapes = 0;
  std::string layer;  ///< at hand
  EngineProgress search;
  double seconds = 0;
};

std::string to_text(const MapProgress& progress);

}  // namespace nestor::report

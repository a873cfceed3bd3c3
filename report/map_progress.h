// Progress of searches: the progress line of `map`, and the figures that calling programs receive during any
// search.
#pragma once

#include <limits>
#include <string>

#include "base/status.h"
#include "report/tables/progress.h"
#include "solver/engine/observer.h"

namespace nestor::report {

struct MapProgress {
  std::size_t solved = 0;  ///< number of solved distinct shapes or single kernels
  std::size_t all = 0;
  std::string layer;  ///< name of the current layer or kernel
  EngineProgress search;
  double seconds = 0;
  double rate = 0;  ///< nodes per second since the last text; 0 if unknown
  double time_limit = std::numeric_limits<double>::infinity();  ///< of the run, in seconds
};

std::string to_text(const MapProgress& progress);

/// Shows the progress of `map`.
void show(io::ProgressLine& line, const MapProgress& progress);

/// Writes the status and objective at the end of a search to the log of the run.
void log_end(io::ProgressLine& line, const std::string& part, Status status, double objective);

/// Returns the figures of a search of one part, without infinite ones.
io::ProgressFigures progress_figures(const std::string& part, const EngineProgress& search);

}  // namespace nestor::report

// What `nestor compile` found, as text and JSON.
#pragma once

#include <string>
#include <vector>

#include "io/options.h"
#include "model/chip/search/compile.h"
#include "report/chip/compiled.h"

namespace nestor::report {

struct BaselineRun {
  chip::CompileMethod baseline;
  chip::Decisions decisions;
  Int latency;
};

struct CompileRun {
  const io::RunOptions& options;
  const CompiledNetwork& compiled;
  const chip::CompileRequest& request;
  const chip::CompileOutcome& outcome;
  const chip::Evaluation& evaluation;
  const std::vector<BaselineRun>& baselines;
  bool proves;  ///< it was a search, not a baseline
};

/// "nestor.compile/1".
io::Json compile_json(const CompileRun& run);

/// How far it is proved, and how the baselines compare.
std::string summary_text(const CompileRun& run);

/// What one step more of a resource gains.
struct ResourceGain {
  std::string resource;
  Int now = 0;
  Int more = 0;
  double objective = 0;  ///< of the best schedule found with more
  double gain = 0;       ///< as a share of what it is now; below 0: worse
  bool proved = false;   ///< both are
};

std::string gains_text(const std::vector<ResourceGain>& gains);
void add_gains(io::Json& json, const std::vector<ResourceGain>& gains);

}  // namespace nestor::report

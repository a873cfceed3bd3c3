// Results of `nestor compile` as text and JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/options.h"
#include "mapper/chip/explain.h"
#include "report/chip/compiled.h"
#include "solver/engine/observer.h"

namespace nestor::report {

/// Quantisation of a program with the model's own weights.
struct WeightOrigin {
  std::string scales;
  bool per_tensor = false;
};

struct CompileRun {
  const io::RunOptions& options;
  const CompiledNetwork& compiled;
  const chip::NetworkRequest& request;
  const chip::CompileResult& result;  ///< result with a schedule
  std::optional<WeightOrigin> weights{};
  std::optional<std::vector<chip::ResourceGain>> gains{};  ///< with --explain
};

/// Returns the progress of the search for a network's schedule.
std::string compile_progress(const std::string& network, const EngineProgress& progress);

/// Returns the result as JSON.
io::Json compile_json(const CompileRun& run);
io::Json compile_schema();
/// Schema of the results of all verbs of the chip space.
io::Json chip_result_schema();

/// Returns text with the status and bound of the schedule, and with a comparison to the baselines.
std::string summary_text(const CompileRun& run);

std::string gains_text(const std::vector<chip::ResourceGain>& gains);

}  // namespace nestor::report

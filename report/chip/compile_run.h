// What `nestor compile` found, as text and JSON.
#pragma once

#include <string>
#include <vector>

#include "io/options.h"
#include "mapper/chip/explain.h"
#include "report/chip/compiled.h"

namespace nestor::report {

struct CompileRun {
  const io::RunOptions& options;
  const CompiledNetwork& compiled;
  const chip::NetworkRequest& request;
  const chip::CompileResult& result;  ///< has a schedule
};

/// "nestor.compile/1".
io::Json compile_json(const CompileRun& run);

/// How far it is proved, and how the baselines compare.
std::string summary_text(const CompileRun& run);

std::string gains_text(const std::vector<chip::ResourceGain>& gains);
void add_gains(io::Json& json, const std::vector<chip::ResourceGain>& gains);

}  // namespace nestor::report

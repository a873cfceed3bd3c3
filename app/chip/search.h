// The search of the chip space as the command line asks for it: by compile, and by verify --recheck.
#pragma once

#include "app/chip/compiled.h"
#include "heuristics/chip/incumbents.h"
#include "model/chip/search/compile.h"
#include "report/chip/compile_run.h"

namespace nestor::app::chip_space {

/// What --objective, --limit, --levels, --gap and --work-limit say.
io::Result<chip::CompileRequest> request_of(const io::RunOptions& options, chip::Mode mode);

using report::BaselineRun;
/// All that are legal on the machine.
std::vector<BaselineRun> run_baselines(const chip::Problem& problem, chip::Levels levels);

/// The best schedule, with --time-limit, --threads and a progress line.
chip::CompileOutcome search(const chip::Problem& problem, const chip::CompileRequest& request,
                            const std::vector<BaselineRun>& baselines, const io::RunOptions& options);

}  // namespace nestor::app::chip_space

// Work of sweeps: a plan written into a store, and its open points solved by the threads of one process.
// Other processes may work on the same store (io/store/store.h).
#pragma once

#include <string>

#include "app/space.h"
#include "io/plan_file.h"
#include "io/store/store.h"

namespace nestor::app {

/// What a plan asks for: every combination of machine, network and run, its layers' points each once.
/// `needs_area`: a machine without a total area is refused.
struct PlannedWork {
  std::vector<io::NewPoint> points;
  std::vector<io::PlanRow> rows;
};
io::Result<PlannedWork> plan_work(const io::SweepPlan& plan, Spaces spaces, bool needs_area);

struct WorkedOff {
  Int solved = 0;
  bool interrupted = false;
  bool out_of_time = false;
};

/// Solves open points until none is left, waiting for those that other processes hold. `plan` is for progress
/// only.
io::Result<WorkedOff> work_off(io::Store& store, const std::string& plan, const io::RunOptions& options,
                               Spaces spaces);

/// A job array of Slurm whose tasks are workers on the store (--submit slurm): its script is printed
/// (--dry-run), or written beside the plan's file and submitted. `plan` is the plan's name.
io::MaybeError check_submission(const io::RunOptions& options);
io::Result<ExitStatus> submit_workers(const io::RunOptions& options, const std::string& plan);

}  // namespace nestor::app

// Work of sweeps: a plan is written into a store, and the threads of one process solve its open points. Other
// processes can work on the same store (io/store/store.h).
#pragma once

#include <string>

#include "app/space.h"
#include "io/plan_file.h"
#include "io/store/store.h"

namespace nestor::app {

/// The work of a plan: rows for every combination of machine, network and run, and the distinct points of all
/// their layers. If `needs_area` is true, a machine without a total area is refused.
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

/// Solves open points until none is left or the run is stopped, and waits for points that other processes
/// have claimed. `plan` is only used for progress.
io::Result<WorkedOff> work_off(io::Store& store, const std::string& plan, const io::RunOptions& options,
                               Spaces spaces);

/// Slurm job array whose tasks are workers on the store (--submit slurm). check_submission() checks the
/// options. submit_workers() prints the script (--dry-run), or writes it beside the plan's file and submits
/// it; `plan` is the plan's name.
io::MaybeError check_submission(const io::RunOptions& options);
io::Result<ExitStatus> submit_workers(const io::RunOptions& options, const std::string& plan);

}  // namespace nestor::app

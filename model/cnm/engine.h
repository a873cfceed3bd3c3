// Estimate of a program too long to simulate. Its loops are run with few trips, then each loop again with
// some more (docs/models/cnm.md, "The engine"). The cost of an added trip is used for the omitted trips.
// Short programs are simulated in full. Three bounds that hold for any program keep the result plausible and
// make pruning safe.
#pragma once

#include <optional>

#include "base/tables/hash_table.h"
#include "model/cnm/dpu_machine.h"

namespace nestor::cnm {

/// Requests that the runs of one estimate may take.
inline constexpr Int simulation_budget = 4'000'000;

/// Lower bounds on the cycles of any run of the program.
struct ProgramBounds {
  double issue = 0;    ///< every slot of every tasklet takes a cycle of the pipeline
  double dma = 0;      ///< every transfer takes its time of the engine
  double tasklet = 0;  ///< time of one tasklet that runs alone
  double largest() const;
};
/// Returns the bounds of a program; nothing if counts are too large.
std::optional<ProgramBounds> program_bounds(const System& system, const Program& program, Int tasklets);

struct ProgramEstimate {
  double cycles = 0;
  std::array<double, 4> causes{};  ///< issue, barrier, dma, gap; they sum to `cycles`
  ProgramBounds bounds;
  Int runs = 0;              ///< number of simulations
  Int cycles_simulated = 0;  ///< total over all simulations
  Int k = 0;                 ///< 0 if the program was simulated in full
  bool linear = true;        ///< every loop's cost grew linearly at the end
};

/// Runs of programs on one system. Programs that differ only in trips that the engine leaves out need the
/// same runs, which are made once.
class RunMemory {
 public:
  /// Runs the program, or returns the remembered run. The budget is charged for remembered runs too, so that
  /// estimates do not depend on what was estimated before.
  std::optional<DpuRun> run(DpuMachine& machine, const FlatProgram& program, std::span<const Int> trips,
                            Int tasklets, Int& budget);

 private:
  struct Known {
    DpuRun run;
    Int used = 0;  ///< budget that the run used
  };
  HashMap<std::vector<Int>, Known> runs_;
};

/// Estimates a program. Returns nothing if counts are too large, or if the program is too deep to simulate
/// even with few trips.
std::optional<ProgramEstimate> estimate_program(const System& system, const Program& program, Int tasklets,
                                                RunMemory* memory = nullptr);

/// Simulates the whole program (skipping whole rotations). Returns nothing if that takes more than `budget`
/// requests.
std::optional<DpuRun> simulate_whole(const System& system, const Program& program, Int tasklets, Int budget);

}  // namespace nestor::cnm

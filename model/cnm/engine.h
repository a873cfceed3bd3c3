// The estimate of a program too long to simulate: its loops are run with few trips, each loop once more with
// some added, and what a trip adds is taken for the trips left out (docs/models/cnm.md, "The engine"). Short
// programs are simulated whole. Three bounds that hold for any program keep the result sane and make pruning
// safe.
#pragma once

#include <optional>

#include "base/tables/hash_table.h"
#include "model/cnm/dpu_machine.h"

namespace nestor::cnm {

/// Requests that the runs of one estimate may take.
inline constexpr Int simulation_budget = 4'000'000;

/// Cycles that no run of the program can beat.
struct ProgramBounds {
  double issue = 0;    ///< every slot of every tasklet takes a cycle of the pipeline
  double dma = 0;      ///< every transfer takes its time of the engine
  double tasklet = 0;  ///< what one tasklet needs if it is alone
  double largest() const;
};
/// Nothing if counts are too large.
std::optional<ProgramBounds> program_bounds(const System& system, const Program& program, Int tasklets);

struct ProgramEstimate {
  double cycles = 0;
  std::array<double, 4> causes{};  ///< issue, barrier, dma, gap; they sum to `cycles`
  ProgramBounds bounds;
  Int runs = 0;              ///< simulations made
  Int cycles_simulated = 0;  ///< in all of them
  Int k = 0;                 ///< 0: the program was simulated whole
  bool linear = true;        ///< every loop's cost grew linearly at the end
};

/// Runs of programs on one system. Programs that differ only in trips that the engine leaves out need the
/// same runs, which are made once.
class RunMemory {
 public:
  /// As DpuMachine::run; the budget is charged for remembered runs too, so that estimates do not depend on
  /// what was estimated before.
  std::optional<DpuRun> run(DpuMachine& machine, const FlatProgram& program, std::span<const Int> trips,
                            Int tasklets, Int& budget);

 private:
  struct Known {
    DpuRun run;
    Int used = 0;  ///< of the budget
  };
  HashMap<std::vector<Int>, Known> runs_;
};

/// Nothing if counts are too large or the program is too deep to be simulated even with few trips.
std::optional<ProgramEstimate> estimate_program(const System& system, const Program& program, Int tasklets,
                                                RunMemory* memory = nullptr);

/// Simulates the whole program (with whole rotations skipped). Nothing if it is too long for `budget`
/// requests.
std::optional<DpuRun> simulate_whole(const System& system, const Program& program, Int tasklets, Int budget);

}  // namespace nestor::cnm

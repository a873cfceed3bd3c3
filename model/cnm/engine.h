// Estimate of the cycles of a program that is too long to simulate. Its loops are run with few trips, and
// then each loop again with additional trips (docs/models/cnm.md, "The engine"). The cost of an additional
// trip is used for the omitted trips. Short programs are simulated completely. Three bounds that are valid
// for any program keep the result plausible and make pruning safe.
#pragma once

#include <optional>

#include "base/tables/hash_table.h"
#include "model/cnm/dpu_machine.h"

namespace nestor::cnm {

/// Maximum number of requests (transfers, barriers and ends of tasklets) in all runs of one estimate.
inline constexpr Int simulation_budget = 4'000'000;

/// Lower bounds on the cycles of any run of a program.
struct ProgramBounds {
  double issue = 0;    ///< bound by slots: every slot of every tasklet takes a cycle of the pipeline
  double dma = 0;      ///< bound by transfers: every transfer occupies the engine
  double tasklet = 0;  ///< time of the first tasklet if it ran alone
  double largest() const;
};
/// Returns the bounds of a program, or nothing if counts are too large.
std::optional<ProgramBounds> program_bounds(const System& system, const Program& program, Int tasklets);

struct ProgramEstimate {
  double cycles = 0;
  std::array<double, 4> causes{};  ///< issue, barrier, dma, gap; they sum to `cycles`
  ProgramBounds bounds;
  Int runs = 0;              ///< number of simulations
  Int cycles_simulated = 0;  ///< total over all simulations
  /// k, the number of trips to which innermost loops were reduced; 0 if the program was simulated completely.
  Int k = 0;
  bool linear = true;  ///< true if the cost of every reduced innermost loop grew linearly
};

/// Appends the words on which a run depends: the number of tasklets, the steps and the trips of their loops.
/// Four words describe a step: its kind and target, the slots directly before it (plus one, or 0 if there are
/// none), its amount or trips, and the number of consecutive repetitions. The rows of a tile are such
/// repetitions.
void append_run_words(const FlatProgram& program, std::span<const Int> trips, Int tasklets,
                      std::vector<Int>& words);

/// Cache of runs on one system. Programs that differ only in trips that the engine omits need the same runs,
/// which are simulated once.
class RunMemory {
 public:
  /// Runs the program, or returns the cached run. Returns nothing if the budget does not suffice. Cached runs
  /// also consume the budget, so that estimates do not depend on earlier estimates.
  std::optional<DpuRun> run(DpuMachine& machine, const FlatProgram& program, std::span<const Int> trips,
                            Int tasklets, Int& budget);

 private:
  struct Known {
    DpuRun run;
    Int used = 0;  ///< part of the budget that the run used
  };
  HashMap<std::vector<Int>, Known> runs_;
};

/// Estimates a program. Returns nothing if counts are too large, if loops are nested too deeply, or if the
/// runs need more than simulation_budget requests.
std::optional<ProgramEstimate> estimate_program(const System& system, const Program& program, Int tasklets,
                                                RunMemory* memory = nullptr);

}  // namespace nestor::cnm

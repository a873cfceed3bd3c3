// Joint estimates of the cycles of many programs (model/cnm/extrapolation), for the ranking of whole mapping
// spaces. Programs that differ only in trips that the engine omits need the same runs, which are made once.
// Runs are sorted so that the clock (model/cnm/dpu_clock) simulates common prefixes once.
#pragma once

#include <functional>
#include <optional>

#include "model/cnm/dpu_clock.h"
#include "model/cnm/engine.h"
#include "model/cnm/extrapolation.h"

namespace nestor::cnm {

class EstimateBatch {
 public:
  explicit EstimateBatch(const System& system) : system_(system) {}

  std::size_t size() const { return programs_.size(); }
  void add(const FlatProgram& program, const ProgramBounds& bounds, Int tasklets);
  /// Returns the cycles of each program, in the order in which programs were added, and clears the batch. An
  /// entry is empty if counts are too large, if its runs need more than simulation_budget requests, or if the
  /// batch was stopped before the estimate.
  std::vector<std::optional<double>> estimate(const std::function<bool()>& stopped = nullptr);

 private:
  struct Entry {
    FlatProgram program;
    double bound = 0;
    Int tasklets = 1;
    Int budget = simulation_budget;
    bool open = true;
    std::optional<Extrapolation> extrapolation;
    std::size_t first_run = 0, run_count = 0;  ///< runs of the latest round
    bool unfinished() const { return open && extrapolation->needed() > 0; }
  };
  /// A run that some program needs. Runs with equal words have equal results.
  struct Run {
    std::size_t words = 0, end = 0;
    const Entry* of = nullptr;
    std::uint32_t place = 0;  ///< index among the runs of its program
    std::uint32_t same = 0;   ///< index of the first equal run
    Int cycles = 0, requests = 0;
  };

  void add_runs(Entry& entry);
  void sort_runs();
  bool make_runs(const std::function<bool()>& stopped);
  void make_read();
  void make_by_machine(Run& run);
  void take(Entry& entry);
  static std::span<const Int> trips_of(const Run& run) { return run.of->extrapolation->trips_of(run.place); }
  std::span<const Int> words(const Run& run) const {
    return std::span(words_).subspan(run.words, run.end - run.words);
  }

  const System& system_;
  std::vector<Entry> programs_;
  std::vector<Run> runs_;
  std::vector<Int> words_;
  std::vector<std::uint32_t> order_, read_;  ///< indices of runs
  std::vector<Int> cycles_;
  std::vector<CycleCounts> taken_;
  std::optional<DpuClock> clock_;
  Int clock_tasklets_ = 0;
};

}  // namespace nestor::cnm

// The estimates of many programs at once (model/cnm/extrapolation), in cycles alone: what a ranking of whole
// spaces of mappings is made of. Programs that differ only in trips that the engine leaves out need the very
// same runs, which are made once; and runs are sorted, so that the clock (model/cnm/dpu_clock) goes through
// what they have in common once.
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
  /// Cycles of each program, in the order in which they were added; nothing where counts are too large, the
  /// program is too deep to be simulated even with few trips, or it was stopped before. It is empty then.
  std::vector<std::optional<double>> estimate(const std::function<bool()>& stopped = nullptr);

 private:
  struct Entry {
    FlatProgram program;
    double bound = 0;
    Int tasklets = 1;
    Int budget = simulation_budget;
    bool open = true;
    std::optional<Extrapolation> extrapolation;
    std::size_t first_run = 0, run_count = 0;  ///< of those needed last
    bool unfinished() const { return open && extrapolation->needed() > 0; }
  };
  /// One that some program needs. Words: what it depends on.
  struct Run {
    std::size_t words = 0, end = 0;
    const Entry* of = nullptr;
    std::uint32_t place = 0;  ///< among those that the program needs
    std::uint32_t same = 0;   ///< the first of those that are alike
    Int cycles = 0, requests = 0;
  };

  void add_runs(Entry& entry);
  void write_words(const Entry& entry, std::size_t place);
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
  std::vector<std::uint32_t> order_, read_;  ///< runs
  std::vector<Int> cycles_;
  std::vector<CycleCounts> taken_;
  std::optional<DpuClock> clock_;
  Int clock_tasklets_ = 0;
};

}  // namespace nestor::cnm

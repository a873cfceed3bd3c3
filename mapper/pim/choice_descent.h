// Descent over spatial choices for least energy or EDP, beside a proof and as a heuristic of its own. The
// bound of a choice's own table (model/pim/search/joint_table.h) is nearly the cost of its best mapping, so
// it ranks choices without a search.
#pragma once

#include <functional>
#include <optional>

#include "base/stop_signal.h"
#include "model/pim/space/pim_space.h"
#include "solver/engine/engine_outcome.h"
#include "solver/engine/host_storage.h"
#include "solver/engine/incumbent_source.h"

namespace nestor::mapper::pim {

class ChoiceDescent final : public IncumbentSource<FoundSolution<nestor::pim::PimMapping>> {
 public:
  using Space = nestor::pim::PimSpace<HostStorage>;
  using Solution = FoundSolution<nestor::pim::PimMapping>;

  /// All arguments must outlive the source.
  ChoiceDescent(Space& space, MemoryBudget& memory, const StopSignal& stop)
      : space_(space), memory_(memory), stop_(stop) {}

  /// True if the problem has the tables that a descent needs.
  static bool supports(const Space& space);

  /// Begins with the best of some choices, evenly spaced in the list, and moves to better neighbours. Returns
  /// the best mapping of the last choices if it costs less than `best`.
  std::optional<Solution> improve(const Solution* best, std::uint64_t work) override;

  /// Receives a better mapping and the work so far.
  using Improved = std::function<void(const Solution& better, std::uint64_t work)>;
  /// Makes descents from choices in all parts of the list, for mappings that cost less than `cutoff`. Returns
  /// the work. The space must be supported.
  std::uint64_t construct(double cutoff, std::uint64_t work, const Improved& improved);

 private:
  Space& space_;
  MemoryBudget& memory_;
  const StopSignal& stop_;
};

}  // namespace nestor::mapper::pim

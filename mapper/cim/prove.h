// One problem of the cim space, solved exactly: which search runs, in which direction, and for how long.
#pragma once

#include "mapper/cim/lp_bound.h"
#include "model/cim/space/cim_space.h"
#include "solver/engine/parts.h"

namespace nestor::mapper {

using CimEngine = Engine<cim::CimSpace<HostStorage>>;

/// What a search may use.
struct Limits {
  Executor& executor;
  MemoryBudget& memory;
  StopSource& stop;
};

/// The space of a problem under limits that already hold while it is made.
class LimitedSpace {
 public:
  LimitedSpace(const cim::CimProblem& problem, const Limits& limits,
               cim::Direction direction = cim::Direction::outward, LpUse lp = LpUse::off);
  /// Searches for points of the front of a front_problem; the collector outlives the space.
  LimitedSpace(const cim::CimProblem& problem, const Limits& limits, cim::FrontPoints& front);
  LimitedSpace(const LimitedSpace&) = delete;
  LimitedSpace& operator=(const LimitedSpace&) = delete;

  const cim::CimProblem& problem() const { return space_->problem(); }
  const ChoiceList& choices() const { return space_->choices(); }
  /// The bound of the operands' tables on a spatial choice; nothing if memory is short. Thread-safe.
  std::optional<double> table_bound(std::size_t choice);
  CimEngine::Outcome prove(const EngineOptions& options, EngineObserver* observer = nullptr,
                           std::vector<CimEngine::Found> known = {});

 private:
  cim::RulesOf rules();
  void raise_bound(CimEngine::Outcome& outcome) const;

  Limits limits_;
  MemoryCharge charge_;  // of the list of choices
  std::unique_ptr<cim::CimSpace<HostStorage>> space_;
  LpUse lp_;
  LpBound lp_bound_;
};

/// Energy alone can be searched from the inside out or from the outside in (inward_branch.h). Inside out is
/// quicker where buffers hold most of a layer, outside in by far where they do not, and which it is shows
/// after little work: what the first direction cannot prove within `first_direction_work` expansions goes to
/// the second, with the first one's best mappings and bound. The limit counts both.
inline constexpr std::uint64_t first_direction_work = 400000;

/// eq14 is, unless sizes may outweigh everything else, proved in two searches: the least latency, and then,
/// with that as a bound on every mapping, the objective itself among the mappings that are not so slow that
/// their sizes cannot make up for it. Where sizes all together weigh less than a cycle, as by default, that
/// leaves the mappings of least latency. `known`: mappings known beforehand, best first, no more than are
/// asked for.
CimEngine::Outcome prove(const cim::CimProblem& problem, const Limits& limits, const EngineOptions& options,
                         EngineObserver* observer = nullptr, const std::vector<CimEngine::Found>& known = {},
                         LpUse lp = LpUse::off);

struct ProvedFront {
  std::vector<FrontPoint<Mapping>>
      points;                  ///< the front if the status is optimal, otherwise what was found of it
  CimEngine::Outcome outcome;  ///< without solutions
};

/// The latency-energy front of a problem, whatever its objective. What one search has not proved within
/// `first_work` expansions is begun afresh, with its points, and with the least energy proved apart: without
/// that, whatever is bounded below the least energy stays open at any latency.
inline constexpr std::uint64_t first_front_work = 400000;
/// Nothing that `known` covers is looked for.
ProvedFront prove_front(const cim::CimProblem& problem, const Limits& limits, const EngineOptions& options,
                        EngineObserver* observer = nullptr, std::uint64_t first_work = first_front_work,
                        const GrowingStaircase& known = {});

}  // namespace nestor::mapper

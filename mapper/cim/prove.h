// Exact solution of one problem of the cim space: the choice of searches, their directions and their limits.
#pragma once

#include "mapper/cim/lp_bound.h"
#include "model/cim/space/cim_space.h"
#include "solver/engine/parts.h"

namespace nestor::mapper {

using CimEngine = Engine<cim::CimSpace<HostStorage>>;

/// Resources of a search.
struct Limits {
  Executor& executor;
  MemoryBudget& memory;
  StopSource& stop;
};

/// Space of a problem, under limits that also apply to its construction.
class LimitedSpace {
 public:
  LimitedSpace(const cim::CimProblem& problem, const Limits& limits,
               cim::Direction direction = cim::Direction::outward, LpUse lp = LpUse::off);
  /// Searches for points of the front of a front_problem; the collector must outlive the space.
  LimitedSpace(const cim::CimProblem& problem, const Limits& limits, cim::FrontPoints& front);
  LimitedSpace(const LimitedSpace&) = delete;
  LimitedSpace& operator=(const LimitedSpace&) = delete;

  const cim::CimProblem& problem() const { return space_->problem(); }
  const ChoiceList& choices() const { return space_->choices(); }
  /// Returns the bound from the operands' tables on a spatial choice; nothing if memory is short.
  /// Thread-safe.
  std::optional<double> table_bound(std::size_t choice);
  CimEngine::Outcome prove(const EngineOptions& options, EngineObserver* observer = nullptr,
                           std::vector<CimEngine::Found> known = {});

 private:
  cim::RulesOf rules();
  void raise_bound(CimEngine::Outcome& outcome) const;

  Limits limits_;
  MemoryCharge charge_;  // for the list of choices
  std::unique_ptr<cim::CimSpace<HostStorage>> space_;
  LpUse lp_;
  LpBound lp_bound_;
};

/// Energy alone can be searched from the inside out or from the outside in (inward_branch.h). Inside out is
/// faster if buffers hold most of a layer; outside in is much faster otherwise, which becomes evident after
/// little work. If the first direction has no proof within `first_direction_work` expansions, the second
/// continues with its best mappings and bound. The work limit covers both.
inline constexpr std::uint64_t first_direction_work = 400000;

/// Solves a problem. eq14, unless sizes may outweigh everything else, is proved in two searches. The first
/// finds the least latency. With this as a bound, the second searches the objective among the mappings that
/// are not so slow that their sizes cannot compensate. If all sizes together weigh less than a cycle, as by
/// default, these are the mappings of least latency. `known` has mappings known in advance, best first, at
/// most as many as requested.
CimEngine::Outcome prove(const cim::CimProblem& problem, const Limits& limits, const EngineOptions& options,
                         EngineObserver* observer = nullptr, const std::vector<CimEngine::Found>& known = {},
                         LpUse lp = LpUse::off);

struct ProvedFront {
  std::vector<FrontPoint<Mapping>>
      points;  ///< the front if the status is optimal, otherwise the part of it that was found
  CimEngine::Outcome outcome;  ///< without solutions
};

/// Latency-energy front of a problem, regardless of its objective. If one search does not prove it within
/// `first_work` expansions, another one starts with its points and with the least energy, which is proved
/// separately. Without that, anything bounded below the least energy stays open at any latency.
inline constexpr std::uint64_t first_front_work = 400000;
/// Points that `known` covers are not searched.
ProvedFront prove_front(const cim::CimProblem& problem, const Limits& limits, const EngineOptions& options,
                        EngineObserver* observer = nullptr, std::uint64_t first_work = first_front_work,
                        const GrowingStaircase& known = {});

}  // namespace nestor::mapper

// Exact solution of one problem of the cim space: the choice of searches, their directions and their limits.
#pragma once

#include "mapper/cim/limits.h"
#include "mapper/cim/lp_bound.h"

namespace nestor::mapper {

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
  /// Returns the bound on a spatial choice from the operands' tables, or nothing if memory is insufficient.
  /// Thread-safe.
  std::optional<double> table_bound(std::size_t choice);
  CimEngine::Outcome prove(const EngineOptions& options, EngineObserver* observer = nullptr,
                           std::vector<CimEngine::Found> known = {});

 private:
  cim::RulesOf rules();
  void raise_bound(CimEngine::Outcome& outcome) const;

  Limits limits_;
  MemoryCharge charge_;  // memory of the list of choices
  std::unique_ptr<cim::CimSpace<HostStorage>> space_;
  bool seeks_points_ = false;  // the space is that of a front
  LpUse lp_;
  LpBound lp_bound_;
};

/// Work limit of the first search direction. Energy alone can be searched from the inside out or from the
/// outside in (inward_branch.h). Inside out is faster if buffers can store most of a layer; otherwise outside
/// in is much faster. The difference shows after little work. If the search in the first direction has no
/// proof within `first_direction_work` expansions, the search in the second direction starts with the best
/// mappings and the bound of the first. options.work_limit covers both searches.
inline constexpr std::uint64_t first_direction_work = 400000;

/// Solves a problem. eq14 is proved in two searches, unless sizes may outweigh everything else. The first
/// search finds the least latency. With this bound, the second search minimises the objective among mappings
/// that are fast enough for their sizes to compensate for the extra latency. If all sizes together weigh less
/// than a cycle, as by default, these are the mappings of least latency. `known` contains at most
/// options.keep_best mappings, best first.
CimEngine::Outcome prove(const cim::CimProblem& problem, const Limits& limits, const EngineOptions& options,
                         EngineObserver* observer = nullptr, const std::vector<CimEngine::Found>& known = {},
                         LpUse lp = LpUse::off);

struct ProvedFront {
  std::vector<FrontPoint<Mapping>>
      points;                  ///< the front if the status is optimal, otherwise the points found
  CimEngine::Outcome outcome;  ///< without solutions
};

/// Work limit of the first search for a latency-energy front. If this search does not prove the front, a
/// second one starts with its points and with the least energy, which is proved separately. Without the least
/// energy, every node with a smaller energy bound stays open at any latency.
inline constexpr std::uint64_t first_front_work = 400000;
/// Proves the latency-energy front of a problem, regardless of its objective. Points that `known` dominates
/// are not searched.
ProvedFront prove_front(const cim::CimProblem& problem, const Limits& limits, const EngineOptions& options,
                        EngineObserver* observer = nullptr, std::uint64_t first_work = first_front_work,
                        const GrowingStaircase& known = {});

}  // namespace nestor::mapper

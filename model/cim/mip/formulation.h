// MIREDO's mixed-integer program of one layer (Eqs. 1 to 14, Table III, Algorithm 1; docs/models/mip.md), in
// the exact form that `nestor map` proves: its optimum is that of the same problem in the cim space. One
// function builds each group of equations.
#pragma once

#include <memory>
#include <optional>

#include "model/cim/search/problem.h"
#include "model/loopnest/mip/nest_figures.h"

namespace nestor::cim {

class MiredoProgram {
 public:
  /// `known`: a mapping whose values the columns get; it is legal and canonical. `best`: an objective that a
  /// mapping is known to reach, from which limits of the latency follow; without, they are weaker.
  MiredoProgram(const CimProblem& problem, const Mapping* known, std::optional<double> best);

  const mip::Program& program() const { return program_; }
  const mip::NestProgram& nest() const { return nest_; }

 private:
  using Sum = mip::Sum;
  using Index = mip::Index;

  // transfers.cpp
  void add_transfers();
  void add_slot_transfers();
  double latency_limit(std::optional<double> best) const;
  double worst_latency() const;

  // latency.cpp
  void add_latency();
  void add_period(std::size_t slot);
  void add_processing(std::size_t slot, Operand operand, const Sum& waited);
  void add_steps();
  void add_total(const std::vector<Sum>& waited);

  // objective.cpp
  void add_objective();

  const CimProblem& problem_;
  mip::Program program_;
  mip::NestProgram nest_;
  mip::NestFigures figures_;
  double limit_ = 0;                  ///< of the latency
  PerMemoryOperand<Sum> transfer_{};  ///< T of Eq. 11 into a memory
  PerMemoryOperand<double> longest_{};
  // Per slot (Table III):
  std::vector<std::array<Sum, operand_count>> slot_transfer_;
  std::vector<Sum> slot_returns_;  ///< T' of O with the partial sums that come back
  std::vector<std::array<Sum, operand_count>> processing_;
  std::vector<Sum> period_;
  Index latency_ = 0;
};

}  // namespace nestor::cim

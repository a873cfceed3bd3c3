// MIREDO's mixed-integer program of one layer (Eqs. 1 to 14, Table III, Algorithm 1; docs/models/mip.md), in
// the exact form that `nestor map` proves: its optimum is that of the same problem in the cim space. One
// function builds each group of equations.
#pragma once

#include <map>
#include <memory>
#include <optional>

#include "model/cim/search/problem.h"
#include "model/loopnest/mip/nest_program.h"

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

  // sizes.cpp
  void add_sizes();
  Sum size_of(Operand operand, std::size_t memory);
  /// 1 if no reduction loop lies outside the content of a memory.
  Sum complete(std::size_t memory);
  bool is_complete_known(std::size_t memory) const;
  const std::vector<mip::ExtentChoice>& reductions_outside(std::size_t memory);
  /// 1 if an axis above carries a reduction factor.
  Sum reduced_above(std::size_t axis);
  std::size_t next_inward(Operand operand, std::size_t memory) const;
  mip::Meaning meaning(std::string_view symbol, Operand operand, std::size_t memory, int source = -1) const;

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

  // energy.cpp
  Sum energy();
  Sum operand_energy(Operand operand);
  Sum output_energy();
  Sum passes(const std::string& name, Operand operand, std::size_t memory, std::size_t axis,
             const Sum& selected);
  Sum returned(const std::string& name, std::size_t memory, std::size_t axis, const Sum& selected, double in,
               double out, bool one_lane);
  void add_objective();

  const CimProblem& problem_;
  mip::Program program_;
  mip::NestProgram nest_;
  double limit_ = 0;  ///< of the latency
  std::map<std::size_t, std::vector<mip::ExtentChoice>> reductions_;
  std::map<std::size_t, Index> reduced_;
  PerMemoryOperand<Sum> size_{};      ///< Size of Eq. 7
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

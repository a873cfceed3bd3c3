// MIREDO's mixed-integer program of one layer (Eqs. 1 to 14, Table III, Algorithm 1; docs/models/mip.md). It
// is exact: its optimum equals that of the cim space, which `nestor map` finds and proves. Each group of
// equations is built by a separate function.
#pragma once

#include <memory>
#include <optional>

#include "model/cim/search/problem.h"
#include "model/mip/nest_figures.h"

namespace nestor::cim {

class MiredoProgram {
 public:
  /// `known` is null or a legal and canonical mapping that provides the known values of the columns. `best`
  /// is the objective of some known mapping; it tightens the upper limit on the latency.
  MiredoProgram(const CimProblem& problem, const Mapping* known, std::optional<double> best);

  const mip::Program& program() const { return program_; }
  const mip::NestProgram& nest() const { return nest_; }

 private:
  using Sum = mip::Sum;
  using Index = mip::Index;

  // Defined in transfers.cpp.
  void add_transfers();
  void add_slot_transfers();
  double latency_limit(std::optional<double> best) const;
  double worst_latency() const;

  // Defined in latency.cpp.
  void add_latency();
  void add_period(std::size_t slot);
  void add_processing(std::size_t slot, Operand operand, const Sum& waited);
  void add_steps();
  void add_total(const std::vector<Sum>& waited);

  // Defined in objective.cpp.
  void add_objective();

  const CimProblem& problem_;
  mip::Program program_;
  mip::NestProgram nest_;
  mip::NestFigures figures_;
  double limit_ = 0;                  ///< upper limit on the latency
  PerMemoryOperand<Sum> transfer_{};  ///< T of Eq. 11 for the transfer into a memory
  PerMemoryOperand<double> longest_{};
  // Per slot (Table III):
  std::vector<std::array<Sum, operand_count>> slot_transfer_;
  std::vector<Sum> slot_returns_;  ///< T' of O, with returning partial sums
  std::vector<std::array<Sum, operand_count>> processing_;
  std::vector<Sum> period_;
  Index latency_ = 0;
};

}  // namespace nestor::cim

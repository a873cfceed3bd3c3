// Remaining cost of one operand, taken alone, when temporal loops are placed from the outermost inward:
// for every content that is left to place inside and every memory that the operand is in, lower bounds on the
// energy of its transfers further in. The counterpart of OperandTable, which looks outward.
//
// Why the bounds are safe: a transfer at content e costs a function of e, times the iterations of all loops
// outside it. The table counts the loops outside that are relevant to the operand, which e tells; of the
// others it knows those that are outside already (irrelevant(), at the lookup) and pretends that the rest
// lies inside. It lets each operand choose its own jumps and takes no notice of shared capacity.
#pragma once

#include "model/cim/search/operand_table.h"

namespace nestor::cim {

class InwardTable {
 public:
  static constexpr double infinite = std::numeric_limits<double>::infinity();

  /// Arena bytes that build needs for good, and for its own work.
  static std::size_t bytes_needed(const OperandTable& table);
  /// `table` must outlive this. False if an arena is too small.
  bool build(const OperandTable& table, Arena& arena, Arena& scratch);

  /// The least energy still to come for an operand at a chain position with the content `index` inside, while
  /// `irrelevant` iterations of loops that it does not see lie outside. Infinite: it cannot end.
  double least(TableIndex index, std::size_t position, Int irrelevant) const {
    const double* cost = costs_ + (index * chain_ + position) * width_;
    if (width_ == 1) return cost[0] * static_cast<double>(irrelevant);
    return irrelevant == 1 ? cost[0] : cost[1] + static_cast<double>(irrelevant - 1) * cost[2];
  }

 private:
  // By the iterations of irrelevant loops outside: one; the first of several; each further one. They differ
  // for O, whose sums are final only in the first case, and are read back in every further one; I and W have
  // the first only.
  using Cost = std::array<double, 3>;
  class Transfers;
  static std::size_t width_of(const OperandTable& table) { return table.operand() == Operand::O ? 3 : 1; }
  static Cost jump(const OperandTable& table, TableIndex index, std::size_t from, std::size_t to,
                   Int relevant);

  const double* costs_ = nullptr;
  std::size_t chain_ = 0;
  std::size_t width_ = 1;  // doubles per content and memory
};

/// Makes the tables of searches from the outside in (TableBuilder), which read only sizes of `outward`.
struct InwardTables {
  struct Tables {
    OperandTable outward;
    InwardTable inward;
  };
  using Problem = cim::CimProblem;

  template <typename Memory>
  static bool build(const CimProblem& problem, const OperandSetup& setup, Tables& tables, Memory& memory) {
    auto sizes = memory.keep(OperandTable::bytes_needed(setup));
    if (!sizes || !tables.outward.build(problem, setup, *sizes, false)) return false;
    const std::size_t bytes = InwardTable::bytes_needed(tables.outward);
    auto kept = memory.keep(bytes);
    auto work = memory.scratch();
    if (!kept || !work.resize(bytes, std::byte{})) return false;
    Arena scratch({work.begin(), work.end()});
    return tables.inward.build(tables.outward, *kept, scratch);
  }
};

}  // namespace nestor::cim

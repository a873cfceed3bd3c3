// Remaining cost of one operand alone, if temporal loops are placed from the outermost inward. For every
// content still to be placed inside and every memory of the operand, the table contains lower bounds on the
// energy of the operand's further inward transfers. It is the counterpart of OperandTable, which covers
// outward transfers.
//
// The bounds are safe: a transfer at content e costs a function of e, times the iterations of all loops
// outside it. The table includes all outside loops that are relevant to the operand, since they follow from
// e. Of the irrelevant loops, it includes those already outside (`irrelevant` in the lookup) and assumes that
// all others are inside. Each operand chooses its own jumps, and shared capacity is ignored.
#pragma once

#include "model/cim/search/operand_table.h"

namespace nestor::cim {

class InwardTable {
 public:
  static constexpr double infinite = std::numeric_limits<double>::infinity();

  /// Returns the arena bytes that build() needs, in each of its two arenas.
  static std::size_t bytes_needed(const OperandTable& table);
  /// `table` must outlive this object. Returns false if an arena is too small.
  bool build(const OperandTable& table, Arena& arena, Arena& scratch);

  /// Returns a lower bound on the remaining energy of an operand at a chain position, with the content
  /// `index` inside and `irrelevant` iterations of irrelevant loops outside. It is infinite if the operand
  /// cannot complete its path.
  double least(TableIndex index, std::size_t position, Int irrelevant) const {
    const double* cost = costs_ + (index * chain_ + position) * width_;
    if (width_ == 1) return cost[0] * static_cast<double>(irrelevant);
    return irrelevant == 1 ? cost[0] : cost[1] + static_cast<double>(irrelevant - 1) * cost[2];
  }

 private:
  // Cost by iterations of irrelevant loops outside: for a single iteration, for the first of several
  // iterations, and for each further iteration. These costs differ only for O, whose sums are final in the
  // first case and are read back in each further iteration. I and W use only the first cost.
  using Cost = std::array<double, 3>;
  class Transfers;
  static std::size_t width_of(const OperandTable& table) { return table.operand() == Operand::O ? 3 : 1; }
  static Cost jump(const OperandTable& table, TableIndex index, std::size_t from, std::size_t to,
                   Int relevant);

  const double* costs_ = nullptr;
  std::size_t chain_ = 0;
  std::size_t width_ = 1;  // number of doubles per content and memory
};

/// Builder of the tables of inward searches (TableBuilder). These searches use the sizes in `outward`, which
/// has no bounds.
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
    if (!kept || !work.allocate(bytes)) return false;
    Arena scratch = work.arena();
    return tables.inward.build(tables.outward, *kept, scratch);
  }
};

}  // namespace nestor::cim

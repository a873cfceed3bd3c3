// Remaining cost of one operand alone, if loops are placed from the outermost inward. For every content still
// to be placed inside and every memory of the operand, the table contains three lower bounds: on the energy
// of the operand's further inward transfers, on the cycles of the busiest port that it still has to pass, and
// on the cycles of the port that it passes next.
//
// The bounds are safe (docs/models/pim.md, section 7): a transfer at content e costs a function of e, times
// the iterations of all loops outside it. The table includes all outside loops that are relevant to the
// operand, since they follow from e. Of the irrelevant loops, it includes those already outside (`repeats` in
// the lookup) and assumes that all others are inside. Each operand chooses its own jumps, and other operands
// take no capacity. A tile is assumed to open the least number of rows that it touches at any position, under
// its best layout. content_table.h implements the dynamic program over contents and memories.
#pragma once

#include "base/arena.h"
#include "model/loopnest/search/choice_frame.h"
#include "model/loopnest/search/content_table.h"
#include "model/pim/search/problem.h"

namespace nestor::pim {

class TransferTable : public ContentTable {
 public:
  static constexpr double infinite = std::numeric_limits<double>::infinity();

  /// Returns the arena bytes that build() needs, in each of its two arenas.
  static std::size_t bytes_needed(const OperandSetup& setup);
  /// Returns false if an arena is too small.
  bool build(const PimProblem& problem, const OperandSetup& setup, Arena& arena, Arena& scratch);

  /// True if a jump stops at every memory on its way, which is the case with a bypass table.
  bool stops_everywhere() const { return stops_; }

  /// Returns the elements of a content in one instance of the memory at a chain position.
  Int elements(TableIndex index, std::size_t position) const {
    return elements_[index * chain_length() + position];
  }
  /// Returns a lower bound on the activations of every pass through a content, or 0 if rows are not counted
  /// exactly.
  Int rows(TableIndex index) const { return rows_ == nullptr ? 0 : rows_[index]; }

  /// Returns a lower bound on the activations of reading a content, for any split into visits, or 0 if rows
  /// are not counted exactly.
  Int swept_rows(TableIndex index) const { return swept_ == nullptr ? 0 : swept_[index]; }

  /// Returns the energy of moving a content between two memories of the chain, with the given loops outside,
  /// in one lane outside the home (docs/models/pim.md, section 4). It does not include rows.
  double transfer_energy(const PimProblem& problem, TableIndex index, std::size_t from, std::size_t to,
                         const Outside& outside) const;

  /// Content index of an operand before the first step.
  static constexpr TableIndex unstarted = std::numeric_limits<TableIndex>::max();

  /// Return lower bounds on the remaining energy: energy() on that of moving bits, energy_rows() on that of
  /// moving bits and opening rows. They are infinite if the operand cannot complete its path.
  double energy(TableIndex index, std::size_t position, Int repeats) const;
  double energy_rows(TableIndex index, std::size_t position, Int repeats) const;
  /// Returns a lower bound on the cycles of the busiest port through which the operand still has to leave.
  double busiest(TableIndex index, std::size_t position, Int repeats) const;
  /// Return lower bounds on the remaining cycles of the port at `position`: leaving() on those of moving
  /// bits, leaving_rows() on those of moving bits and opening rows.
  double leaving(TableIndex index, std::size_t position, Int repeats) const;
  double leaving_rows(TableIndex index, std::size_t position, Int repeats) const;

 private:
  class Transfers;
  // Bounds by `repeats`, the iterations of irrelevant loops outside. Energy: for a single iteration, for the
  // first of several iterations, and for each further iteration. Cycles: for a single iteration, and per
  // iteration of several.
  struct Bounds {
    std::array<double, 3> energy;
    std::array<double, 3> energy_rows;
    std::array<double, 2> busiest;
    std::array<double, 2> leaving;
    std::array<double, 2> leaving_rows;
  };
  static constexpr Bounds nothing_left() { return {}; }
  static constexpr Bounds unreachable() {
    constexpr std::array<double, 2> never{infinite, infinite};
    constexpr std::array<double, 3> not_ever{infinite, infinite, infinite};
    return {not_ever, not_ever, never, never, never};
  }
  static void improve(Bounds& best, const Bounds& other);
  const Bounds& bounds(TableIndex index, std::size_t position) const {
    return index == unstarted ? start_ : bounds_[index * chain_length() + position];
  }

  void fill_elements(const LayerShape& layer);
  void fill_rows(const PimProblem& problem);
  Bounds jump(const PimProblem& problem, TableIndex index, std::size_t from, std::size_t to, Int relevant,
              const Bounds& later) const;
  void add_transfer(const PimProblem& problem, TableIndex index, std::size_t from, std::size_t to,
                    Int relevant, Bounds& sum, bool first) const;
  // Raises the bounds of a content that is still in DRAM: in any split, all of it will be read as often as
  // the outside loops require.
  void raise_to_sweeps(const PimProblem& problem, TableIndex index, Int relevant, Bounds& staying) const;
  bool fits(const PimProblem& problem, TableIndex index, std::size_t from, std::size_t to) const;
  double repeated(const std::array<double, 3>& energy, Int repeats) const;
  double scaled(const std::array<double, 2>& cycles, Int repeats) const {
    return repeats == 1 ? cycles[0] : cycles[1] * static_cast<double>(repeats);
  }

  bool stops_ = false;
  Int* elements_ = nullptr;
  Int* rows_ = nullptr;   // null unless rows are counted exactly
  Int* swept_ = nullptr;  // null unless rows are counted exactly
  Bounds* bounds_ = nullptr;
  Bounds start_{};
};

/// Builder of tables for TableCache.
struct TransferTables {
  using Problem = pim::PimProblem;
  using Tables = TransferTable;
  template <typename Memory>
  static bool build(const PimProblem& problem, const OperandSetup& setup, TransferTable& table,
                    Memory& memory) {
    const std::size_t bytes = TransferTable::bytes_needed(setup);
    auto arena = memory.keep(bytes);
    auto work = memory.scratch();
    if (!arena || !work.allocate(bytes)) return false;
    Arena scratch = work.arena();
    return table.build(problem, setup, *arena, scratch);
  }
};

/// Returns the setup of an operand under a spatial choice, for TableCache. Lanes outside the home are not
/// counted, so that more choices share their tables: a table's energies are those of one of these lanes.
OperandSetup make_setup(const PimProblem& problem, const Lattices& lattices, const SpatialChoice& choice,
                        Operand operand);

}  // namespace nestor::pim

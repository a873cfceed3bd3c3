// Remaining cost of one operand, taken alone, when loops are placed from the outermost inward: for every
// content that is left to place inside and every memory that the operand is in, lower bounds on the energy of
// its transfers further in, on the busiest of its ports and on the port that it must leave next.
//
// Why the bounds are safe (docs/models/pim.md, section 7): a transfer at content e costs a function of e,
// times the iterations of all loops outside it. The table counts the loops outside that are relevant to the
// operand, which e tells; of the others it knows those that are outside already (`repeats`, at the lookup)
// and pretends that the rest lies inside. Each operand chooses its own jumps, other operands take no
// capacity, and a tile opens the rows that it touches anywhere, under the layout that suits it best. The
// program over contents and memories is that of content_table.h.
#pragma once

#include "base/arena.h"
#include "model/loopnest/search/content_table.h"
#include "model/pim/search/problem.h"

namespace nestor::pim {

class TransferTable : public ContentTable {
 public:
  static constexpr double infinite = std::numeric_limits<double>::infinity();

  /// Arena bytes that build() needs for good, and for its own work.
  static std::size_t bytes_needed(const OperandSetup& setup);
  /// False if an arena is too small.
  bool build(const PimProblem& problem, const OperandSetup& setup, Arena& arena, Arena& scratch);

  /// Whether a jump stops at every memory on its way (a bypass table).
  bool stops_everywhere() const { return stops_; }

  /// Elements of a content in one instance of the memory at a chain position.
  Int elements(TableIndex index, std::size_t position) const {
    return elements_[index * chain_length() + position];
  }
  /// Activations that every pass through a content causes at least, where the home has rows.
  Int rows(TableIndex index) const { return rows_ == nullptr ? 0 : rows_[index]; }

  /// The same in whatever pieces the content is visited.
  Int swept_rows(TableIndex index) const { return swept_ == nullptr ? 0 : swept_[index]; }

  /// Before anything is decided: content and position of an operand that has not taken the first step.
  static constexpr TableIndex unstarted = std::numeric_limits<TableIndex>::max();

  /// The least energy still to come, to move bits alone and with the rows that it opens. Infinite: the
  /// operand cannot end.
  double energy(TableIndex index, std::size_t position, Int repeats) const;
  double energy_rows(TableIndex index, std::size_t position, Int repeats) const;
  /// The least that the busiest port still to be left takes, in cycles.
  double busiest(TableIndex index, std::size_t position, Int repeats) const;
  /// The least that the port of this memory takes, to move bits alone and with the rows that it opens.
  double leaving(TableIndex index, std::size_t position, Int repeats) const;
  double leaving_rows(TableIndex index, std::size_t position, Int repeats) const;

 private:
  class Transfers;
  // By the repeats outside: none; the first of several; each further one (energy). None; some (cycles per
  // repeat).
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
  // A content that is still in DRAM will be swept, in whatever pieces, as often as the loops outside say.
  void raise_to_sweeps(const PimProblem& problem, TableIndex index, Int relevant, Bounds& staying) const;
  bool fits(const PimProblem& problem, TableIndex index, std::size_t from, std::size_t to) const;
  double repeated(const std::array<double, 3>& energy, Int repeats) const;
  double scaled(const std::array<double, 2>& cycles, Int repeats) const {
    return repeats == 1 ? cycles[0] : cycles[1] * static_cast<double>(repeats);
  }

  bool stops_ = false;
  Int* elements_ = nullptr;
  Int* rows_ = nullptr;   // only where rows open
  Int* swept_ = nullptr;  // the same
  Bounds* bounds_ = nullptr;
  Bounds start_{};
};

/// How tables are made for TableCache.
struct TransferTables {
  using Problem = pim::PimProblem;
  using Tables = TransferTable;
  template <typename Memory>
  static bool build(const PimProblem& problem, const OperandSetup& setup, TransferTable& table,
                    Memory& memory) {
    const std::size_t bytes = TransferTable::bytes_needed(setup);
    auto arena = memory.keep(bytes);
    auto work = memory.scratch();
    if (!arena || !work.resize(bytes, std::byte{})) return false;
    Arena scratch({work.begin(), work.end()});
    return table.build(problem, setup, *arena, scratch);
  }
};

/// The setup of an operand under a spatial choice, which TableCache asks for.
OperandSetup make_setup(const PimProblem& problem, const Lattices& lattices, const SpatialChoice& choice,
                        Operand operand);

}  // namespace nestor::pim

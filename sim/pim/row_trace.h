// The row trace: every access of a walk over DRAM, element by element, with an open row per bank
// (docs/models/pim.md, section 5.1). Slow on purpose: it is the definition of row activations, which
// model/pim/rows counts without walking.
#pragma once

#include <array>
#include <vector>

#include "model/pim/rows/row_walk.h"

namespace nestor::sim::pim {

/// One element read or written.
struct Access {
  Int step = 0;  ///< of all temporal loops, from 0
  Operand operand = Operand::I;
  bool writes = false;
  bool opens = false;  ///< its row was not the open one of its bank
  Int address = 0;     ///< in elements, from the start of its tensor's region
  Int row = 0;
  Int bank = 0;
};

/// The first accesses of a walk.
struct AccessLog {
  std::size_t most = 1'000'000;
  std::vector<Access> accesses;
  bool complete = true;  ///< the walk made no more
};

/// How a tensor lies in rows.
struct RowGeometry {
  Operand operand = Operand::I;
  nestor::pim::Coordinates size{1, 1, 1, 1};
  Int row_elements = 1;
  Int banks = 1;
  nestor::pim::Layout layout;
};

/// The open rows of one tensor's region.
class RowTracer {
 public:
  /// `log`, if any, takes the accesses.
  explicit RowTracer(const RowGeometry& geometry, AccessLog* log = nullptr);

  /// What the next visits' accesses are logged as.
  void set_visit(Int step, bool writes) {
    step_ = step;
    writes_ = writes;
  }
  /// One visit of a box.
  void visit(const nestor::pim::Coordinates& start, const nestor::pim::Coordinates& tile);
  Int activations() const { return activations_; }
  Int accesses() const { return accesses_; }

 private:
  // Where an element lies. An address is a sum of one part per coordinate, so places are added up and no
  // address is divided while walking.
  struct Place {
    Int row = 0;
    Int within = 0;  // the row
    Int bank = 0;
  };
  // What one coordinate adds.
  Place part(std::size_t c, Int value) const;
  static Place sum(const Place& a, const Place& b, const RowGeometry& geometry);
  // The coordinates from `c` to that of the line.
  void access_box(const nestor::pim::Coordinates& start, const nestor::pim::Coordinates& tile, std::size_t c,
                  std::size_t line, const Place& at);
  void access_line(const Place& line, std::size_t c, Int start, Int count);
  /// note(place, opens) of every access.
  template <typename Note>
  void access_noting(const Place& line, std::size_t c, Int start, Int count, const Note& note);
  Int address(const nestor::pim::Coordinates& at) const;
  Int rows_filled(Int elements) const;

  RowGeometry geometry_;
  std::array<std::vector<Place>, 4> parts_;  // per coordinate and value, unless these are very many
  std::vector<Int> open_;
  AccessLog* log_;
  Int step_ = 0;
  bool writes_ = false;
  Int activations_ = 0;
  Int accesses_ = 0;
};

struct RowTrace {
  Int activations = 0;
  Int accesses = 0;
};

RowTrace trace_rows(const nestor::pim::RowWalk& walk, const nestor::pim::Layout& layout);

}  // namespace nestor::sim::pim

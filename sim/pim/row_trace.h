// Row trace: simulates every DRAM access of a sequence of visits, element by element, with one open row per
// bank (docs/models/pim.md, section 5.1). The trace is slow by design: it defines row activations, which
// model/pim/rows counts without visiting every element.
#pragma once

#include <array>
#include <vector>

#include "model/pim/rows/row_walk.h"

namespace nestor::sim::pim {

/// A read or write of one element.
struct Access {
  Int step = 0;  ///< index of the step over all temporal loops, from 0
  Operand operand = Operand::I;
  bool writes = false;
  bool opens = false;  ///< true if the row was not open in its bank
  Int address = 0;     ///< offset in elements from the start of the tensor's region
  Int row = 0;
  Int bank = 0;
};

/// The first accesses of a replay, up to `most`.
struct AccessLog {
  std::size_t most = 1'000'000;
  std::vector<Access> accesses;
  bool complete = true;  ///< true if the log contains all accesses
};

/// Layout of a tensor in rows.
struct RowGeometry {
  Operand operand = Operand::I;
  nestor::pim::Coordinates size{1, 1, 1, 1};
  Int row_elements = 1;
  Int banks = 1;
  nestor::pim::Layout layout;
};

/// Open rows in the region of one tensor, and the activations and accesses so far.
class RowTracer {
 public:
  /// Traces accesses to a tensor with this geometry. `log`, if not null, receives the accesses.
  explicit RowTracer(const RowGeometry& geometry, AccessLog* log = nullptr);

  /// Sets the step and kind under which the accesses of the next visits are logged.
  void set_visit(Int step, bool writes) {
    step_ = step;
    writes_ = writes;
  }
  /// Accesses all elements of a box once.
  void visit(const nestor::pim::Coordinates& start, const nestor::pim::Coordinates& tile);
  Int activations() const { return activations_; }
  Int accesses() const { return accesses_; }

 private:
  // Position of an element. An address is the sum of one part per coordinate, so the inner loops add
  // positions and need no division.
  struct Place {
    Int row = 0;
    Int within = 0;  // offset in the row
    Int bank = 0;
  };
  // Returns the contribution of one coordinate.
  Place part(std::size_t c, Int value) const;
  static Place sum(const Place& a, const Place& b, const RowGeometry& geometry);
  // Accesses a box, iterating over the coordinates from `c` to `line`.
  void access_box(const nestor::pim::Coordinates& start, const nestor::pim::Coordinates& tile, std::size_t c,
                  std::size_t line, const Place& at);
  void access_line(const Place& line, std::size_t c, Int start, Int count);
  /// Calls note(place, opens) for every access.
  template <typename Note>
  void access_noting(const Place& line, std::size_t c, Int start, Int count, const Note& note);
  Int address(const nestor::pim::Coordinates& at) const;
  Int rows_filled(Int elements) const;

  RowGeometry geometry_;
  std::array<std::vector<Place>, 4> parts_;  // places per coordinate and value, up to a limit
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

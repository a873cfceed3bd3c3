// The row trace: every access of a walk over DRAM, element by element, with an open row per bank
// (docs/models/pim.md, section 5.1). Slow on purpose: it is the definition of row activations, which
// model/pim/rows counts without walking.
#pragma once

#include <vector>

#include "model/pim/rows/row_walk.h"

namespace nestor::sim::pim {

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
  explicit RowTracer(const RowGeometry& geometry)
      : geometry_(geometry), open_(static_cast<std::size_t>(geometry.banks), -1) {}

  /// One visit of a box.
  void visit(const nestor::pim::Coordinates& start, const nestor::pim::Coordinates& tile);
  Int activations() const { return activations_; }
  Int accesses() const { return accesses_; }

 private:
  void access(const nestor::pim::Coordinates& at);
  Int address(const nestor::pim::Coordinates& at) const;
  Int rows_filled(Int elements) const;

  RowGeometry geometry_;
  std::vector<Int> open_;
  Int activations_ = 0;
  Int accesses_ = 0;
};

struct RowTrace {
  Int activations = 0;
  Int accesses = 0;
};

RowTrace trace_rows(const nestor::pim::RowWalk& walk, const nestor::pim::Layout& layout);

}  // namespace nestor::sim::pim

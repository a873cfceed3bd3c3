// Pixels that one step of a row reads (internal to sim/chip). A group of row parts reads the taps of its
// matrix rows; a digital operator reads the pixels under its window. The pixels are computed from kernels,
// views and operands, independently of the waits in the program.
#pragma once

#include <vector>

#include "model/chip/machine.h"
#include "sim/chip/memory.h"
#include "sim/chip/packing.h"

namespace nestor::sim::chip {

/// A read of all pixels of a tensor's row up to and including `pixel`.
struct PixelRead {
  std::size_t tensor = 0;
  Int row = 0;
  Int pixel = 0;
};

class StreamReads {
 public:
  StreamReads(const chip_program::Program& program, const nestor::chip::ChipMachine& machine);

  /// Adds the pixels that the crossbars of part `part` gather for window x of row y. Adds none if the
  /// function of the operator is unknown.
  void of_part(std::size_t op, Int part, Int y, Int x, std::vector<PixelRead>& reads) const;
  /// Adds the pixels that pixel x of row y of a digital operator needs. The second factor of a product is
  /// left out, since the row waits for all of it.
  void of_pixel(std::size_t op, Int y, Int x, std::vector<PixelRead>& reads) const;

 private:
  struct Plan {
    std::vector<TensorOperand> operands;
    std::vector<std::vector<std::size_t>> tensors;  ///< tensors of each operand
    std::optional<Packing> packing;
  };

  /// Range of a kernel's taps, and range of channels of their pixels.
  struct Taps {
    Int first, last, low, high;
  };

  /// Adds channels first .. last of a pixel of an operand, if the pixel is inside the operand.
  void add(std::size_t op, std::size_t operand, Int y, Int x, Int first, Int last,
           std::vector<PixelRead>& reads) const;
  void taps(std::size_t op, Int y, Int x, Taps range, std::vector<PixelRead>& reads) const;

  const chip_program::Program& program_;
  std::vector<Plan> plans_;
};

}  // namespace nestor::sim::chip

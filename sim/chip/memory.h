// The chip's memories as a program accesses them (internal to sim/chip): L0 as bytes, the elements of tensors
// in L0, and operands. An operand can be several tensors side by side, or the same elements in another shape.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/chip/program/numbers.h"
#include "model/chip/program/program.h"

namespace nestor::sim::chip {

/// Wraps a sum to a 32-bit accumulator.
inline Int wrapped(Int value) { return static_cast<std::int32_t>(static_cast<std::uint64_t>(value)); }

/// Returns a / b for positive b, rounded down. root_of() returns the square root of a number, rounded down.
inline Int floor_of(Int a, Int b) { return a / b - static_cast<Int>(a % b < 0); }
inline Int root_of(Int square) {
  Int root = 0;
  for (Int bit = Int{1} << 31; bit > 0; bit >>= 1) {
    if ((root + bit) <= square / (root + bit)) root += bit;
  }
  return root;
}

/// Bytes of L0. Values are little-endian in two's complement.
class L0 {
 public:
  explicit L0(Int bytes) : bytes_(static_cast<std::size_t>(bytes)) {}

  bool holds(Int address, Int bytes) const {
    return address >= 0 && bytes >= 0 && address <= static_cast<Int>(bytes_.size()) - bytes;
  }
  Int read(Int address, Int bytes) const {
    std::uint64_t value = 0;
    for (Int i = 0; i < bytes; ++i) {
      value |= static_cast<std::uint64_t>(bytes_[static_cast<std::size_t>(address + i)]) << (8 * i);
    }
    const auto unused = static_cast<unsigned>(64 - 8 * bytes);
    return static_cast<Int>(value << unused) >> unused;
  }
  void write(Int address, Int bytes, Int value) {
    for (Int i = 0; i < bytes; ++i) {
      bytes_[static_cast<std::size_t>(address + i)] =
          static_cast<std::uint8_t>(static_cast<std::uint64_t>(value) >> (8 * i));
    }
  }

 private:
  std::vector<std::uint8_t> bytes_;
};

/// An operand of an operator: tensors side by side along their channels, possibly reshaped by a view.
class TensorOperand {
 public:
  struct Part {
    Int address = 0, channels = 0, bytes = 1;
  };

  TensorOperand() = default;
  TensorOperand(std::vector<Part> parts, Int rows, Int width, const std::array<Int, 4>& view);

  Int rows() const { return rows_; }
  Int width() const { return width_; }
  Int channels() const { return channels_; }
  bool right() const { return right_; }

  /// Address of an element and its size in bytes. Extents of 1 are broadcast. The address of the first part
  /// can differ from that of its tensor.
  struct Place {
    Int address, bytes;
  };
  /// Returns the index, row by row, of the tensors' pixel that contains element (y, x, c) of the operand.
  Int made_pixel(Int y, Int x, Int c) const {
    return ((y * width_ + x) * channels_ + c + first_) / made_channels_;
  }
  Place place(Int y, Int x, Int c) const;
  void move_first(Int address) { parts_.front().address = address; }
  const std::vector<Part>& parts() const { return parts_; }

 private:
  std::vector<Part> parts_;
  Int rows_ = 0, width_ = 0, channels_ = 0;  ///< extents of the view
  Int made_channels_ = 0;                    ///< total channels of all parts
  Int first_ = 0;
  bool right_ = false;  ///< true if the parts fit each other and contain the view
};

/// Returns the operands of an operator in order (docs/models/chip-program.md, "Operands"). The channel counts
/// determine which tensors are joined side by side.
std::vector<TensorOperand> operands_of(const chip_program::Program& program,
                                       const chip_program::ProgramOperator& op);

inline Int bytes_for(Int bits) { return ceil_divide(bits, 8); }

/// Clamps to the symmetric range of `bits` bits. With 32 bits or more, values are unchanged.
inline Int saturated(Int value, Int bits) {
  if (bits >= 32) return value;
  const Int most = (Int{1} << (bits - 1)) - 1;
  return value > most ? most : value < -most ? -most : value;
}

/// Returns (sum * mul + 2^(shift-1)) >> shift, without the summand 2^(shift-1) if `shift` is 0, clamped to
/// the symmetric range of `bits` bits. With 32 bits or more, sums are unchanged.
Int requantised(Int sum, const std::array<Int, 2>& requant, Int bits);

/// Rescales a sum to the scale of the result, with the multiplier of the output channel, or with the only
/// multiplier if there is just one. `add` is added before the shift. Sums of operators without multipliers
/// are unchanged.
Int rescaled(const chip_program::OperatorNumbers& numbers, Int sum, std::size_t channel, Int add = 0);

}  // namespace nestor::sim::chip

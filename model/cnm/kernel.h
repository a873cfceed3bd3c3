// A kernel as the mapping sees it: an iteration space whose dims are parallel or summed over, operands
// reached through affine maps, and what happens for one point. It is what MLIR's linalg.generic says; named
// operations are made generic first. hst, sel and scan, which linalg cannot say, name a library call instead.
#pragma once

#include <string>
#include <vector>

#include "model/cnm/listing.h"

namespace nestor::cnm {

inline constexpr std::size_t max_dims = 8;

/// A sum of multiples of dims and a number.
struct AffineExpr {
  std::vector<Int> factors;  ///< one for each dim
  Int constant = 0;
  friend bool operator==(const AffineExpr&, const AffineExpr&) = default;
};

/// From the first to the last element that it meets where the dims go so far.
Int reach(const AffineExpr& expr, const std::vector<Int>& extents);

struct KernelOperand {
  std::string name;
  Type type = Type::i32;
  std::vector<Int> dims;
  std::vector<AffineExpr> map;  ///< one for each dim of the operand
  bool output = false;
  bool read = false;  ///< of an output: the region uses what is there

  bool uses(std::size_t dim) const;
  friend bool operator==(const KernelOperand&, const KernelOperand&) = default;
};

/// What the region computes. Arguments are operands by position, then results of steps before, then numbers.
struct RegionStep {
  enum class Kind : std::uint8_t { operation, constant, convert } kind = Kind::operation;
  Op op = Op::add;
  Type type = Type::i32;
  std::string text{};  ///< of a constant: the number; of an operation: its name in the source
  std::vector<std::size_t> arguments{};  ///< operand i, or operands.size() + step
  friend bool operator==(const RegionStep&, const RegionStep&) = default;
};

struct Kernel {
  std::string name;
  std::vector<Int> extents;
  std::vector<bool> reduction;          ///< by dim
  std::vector<KernelOperand> operands;  ///< inputs, then outputs
  std::vector<RegionStep> region;
  std::vector<std::size_t> yields;  ///< by output, as arguments
  std::string library_call{};       ///< "hst", "sel" or "scan"
  Int multiply_k = default_multiply_k;

  std::size_t dim_count() const { return extents.size(); }
  friend bool operator==(const Kernel&, const Kernel&) = default;
};

/// Whether the operand sums over a dim.
bool is_reduced(const Kernel& kernel, const KernelOperand& operand);

/// What is wrong with it as a whole; empty if nothing: maps fit extents, extents can be counted.
std::string find_fault(const Kernel& kernel);

/// A kernel that multiplies: matvec, matmul and so on, for layers of networks. `dims`: M, N, K.
Kernel matrix_product(const std::string& name, Int m, Int n, Int k, Type type);

}  // namespace nestor::cnm

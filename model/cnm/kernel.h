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

/// What MLIR's arith calls an operation on this type; empty for those that have no such word.
std::string_view arith_text(Op op, Type type);

/// The same computation on elements of one type, without conversions.
Kernel with_elements(const Kernel& kernel, Type type);

/// Element types of a product of matrices.
struct ProductTypes {
  Type left = Type::i32, right = Type::i32;
  Type product = Type::i32;  ///< in which elements are multiplied
  Type sum = Type::i32;      ///< of the output
  static ProductTypes all(Type type) { return {type, type, type, type}; }
};

/// A batch of products of M x K by K x N matrices, for layers of networks. N and the batch are no dims of the
/// kernel where they are 1.
Kernel matrix_product(const std::string& name, Int batch, Int m, Int n, Int k, const ProductTypes& types);
inline Kernel matrix_product(const std::string& name, Int m, Int n, Int k, Type type) {
  return matrix_product(name, 1, m, n, k, ProductTypes::all(type));
}

}  // namespace nestor::cnm

// A kernel in the form that is mapped: an iteration space whose dims are parallel or reduced, operands with
// affine maps, and the computation for one point. It corresponds to MLIR's linalg.generic; named operations
// are generalized first. linalg cannot express hst, sel and scan; these kernels name a library call instead.
#pragma once

#include <string>
#include <vector>

#include "model/cnm/listing.h"

namespace nestor::cnm {

inline constexpr std::size_t max_dims = 8;

/// Linear combination of dims and a constant.
struct AffineExpr {
  std::vector<Int> factors;  ///< one factor per dim
  Int constant = 0;
  friend bool operator==(const AffineExpr&, const AffineExpr&) = default;
};

/// Returns the number of elements from the first accessed element to the last if the dims have these extents.
Int reach(const AffineExpr& expr, const std::vector<Int>& extents);

struct KernelOperand {
  std::string name;
  Type type = Type::i32;
  std::vector<Int> dims;
  std::vector<AffineExpr> map;  ///< one expression per dim of the operand
  bool output = false;
  bool read = false;  ///< only for outputs: true if the region reads the existing value

  bool uses(std::size_t dim) const;
  friend bool operator==(const KernelOperand&, const KernelOperand&) = default;
};

/// One step of the region's computation. Arguments are numbered: first the operands by position, followed by
/// the results of earlier steps.
struct RegionStep {
  enum class Kind : std::uint8_t { operation, constant, convert } kind = Kind::operation;
  Op op = Op::add;
  Type type = Type::i32;
  std::string text{};                    ///< number of a constant, or name of an operation in the source
  std::vector<std::size_t> arguments{};  ///< operand i, or operands.size() + step
  friend bool operator==(const RegionStep&, const RegionStep&) = default;
};

struct Kernel {
  std::string name;
  std::vector<Int> extents;
  std::vector<bool> reduction;          ///< by dim: true if it is reduced
  std::vector<KernelOperand> operands;  ///< inputs, then outputs
  std::vector<RegionStep> region;
  std::vector<std::size_t> yields;      ///< one argument per output
  std::string library_call{};           ///< "hst", "sel" or "scan"
  Int multiply_k = default_multiply_k;  ///< k of 32-bit products (docs/models/cnm.md, "Slots")

  std::size_t dim_count() const { return extents.size(); }
  friend bool operator==(const Kernel&, const Kernel&) = default;
};

/// True if the operand does not use some reduced dim, such as the output of a sum over this dim.
bool is_reduced(const Kernel& kernel, const KernelOperand& operand);

/// Returns the reason why the kernel as a whole is invalid, or an empty string. Its maps must fit the
/// operands, and its number of points must not overflow.
std::string find_fault(const Kernel& kernel);

/// Returns the name of an operation on this type in MLIR's arith dialect, or an empty string if it has none.
std::string_view arith_text(Op op, Type type);

/// Returns the kernel with all elements of one type and without conversions.
Kernel with_elements(const Kernel& kernel, Type type);

/// Element types of a matrix product.
struct ProductTypes {
  Type left = Type::i32, right = Type::i32;
  Type product = Type::i32;  ///< type of the multiplication
  Type sum = Type::i32;      ///< type of the output
  static ProductTypes all(Type type) { return {type, type, type, type}; }
};

/// Returns a batch of products of M x K by K x N matrices, for layers of networks. If N or the batch is 1, it
/// is not a dim of the kernel.
Kernel matrix_product(const std::string& name, Int batch, Int m, Int n, Int k, const ProductTypes& types);
inline Kernel matrix_product(const std::string& name, Int m, Int n, Int k, Type type) {
  return matrix_product(name, 1, m, n, k, ProductTypes::all(type));
}

}  // namespace nestor::cnm

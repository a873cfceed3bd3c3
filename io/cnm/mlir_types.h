// Types, affine maps and arith operations of the supported subset of MLIR, and their readers. Private to
// io/cnm.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/cnm/lexer.h"
#include "model/cnm/kernel.h"

namespace nestor::io {

/// An unspecified extent of a type ("?").
inline constexpr Int open_extent = -1;

struct ShapedType {
  std::vector<Int> dims;
  cnm::Type element = cnm::Type::i32;
  bool scalar = false;
  bool memref = false;
};

/// True if type `named` fits a value of type `known`. The extents of `named` may be open.
bool is_compatible(const ShapedType& named, const ShapedType& known);

/// Reads memref<..>, tensor<..> or an element type. A layout or an encoding is skipped.
ShapedType read_shaped_type(Lexer& lexer);
cnm::Type read_element_type(Lexer& lexer);

/// A map such as "affine_map<(d0, d1) -> (d0 + 2 * d1)>". The reader accepts it with or without the first
/// word.
struct AffineMap {
  std::size_t dims = 0;
  std::vector<cnm::AffineExpr> exprs;
};
AffineMap read_affine_map(Lexer& lexer);
/// Reads a sum such as "d0 + 2 * d1 + 3" over the given names.
cnm::AffineExpr read_affine_sum(Lexer& lexer, const std::vector<std::string>& names);

/// Operation of "arith.WORD". `arith_word` returns nothing for an unknown word. `converts` is true for
/// conversions between types.
struct ArithWord {
  cnm::Op op = cnm::Op::add;
  bool converts = false;
  std::size_t arguments = 2;
  bool compares = false;
};
std::optional<ArithWord> arith_word(std::string_view word);
std::vector<std::string_view> arith_words();

}  // namespace nestor::io

// Parts of MLIR as compilers print it that say nothing about a kernel: attributes, globals and views; and the
// advice for dialects that are not read. Private to io/cnm.
#pragma once

#include <string>
#include <string_view>

#include "io/cnm/lexer.h"
#include "io/cnm/mlir_types.h"

namespace nestor::io {

/// The text with blanks in place of locations, "loc(...)", and of resources, "{-# ... #-}": every other
/// character keeps its line and column.
std::string without_locations(std::string_view text);

/// Skips "{...}" with everything nested in it, if it is next.
void skip_attributes(Lexer& lexer);

/// Skips the value of one attribute: up to the "," or "}" outside all brackets.
void skip_attribute(Lexer& lexer);

/// Skips the types of results: "T" or "(T {..}, U)".
void skip_results(Lexer& lexer);

/// Skips a global: the tokens up to the first one on a later line that is outside all brackets, of which
/// `depth` are open already.
void skip_global(Lexer& lexer, int depth = 0);

/// Skips tokens up to the ":" outside all brackets, takes it, and returns the skipped text.
std::string take_until_type(Lexer& lexer);

/// True for operations that give a value another type and leave its elements alone, as tensor.cast.
bool is_view(std::string_view word);

/// The type of a view's result, after the operation's name: "%a [[0, 1]] : T into U".
ShapedType read_view(Lexer& lexer);

/// True if both types hold as many elements of one element type.
bool same_elements(const ShapedType& a, const ShapedType& b);

/// The step that lowers an operation which is not read; empty if none is known.
std::string lowering_advice(std::string_view word);

}  // namespace nestor::io

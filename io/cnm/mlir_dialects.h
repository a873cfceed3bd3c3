// Helpers for the parts of MLIR that do not affect a kernel (attributes, globals and views), and advice for
// unsupported dialects. Private to io/cnm.
#pragma once

#include <string>
#include <string_view>

#include "io/cnm/lexer.h"
#include "io/cnm/mlir_types.h"

namespace nestor::io {

/// Returns the text with blanks in place of locations, "loc(...)", and of resources, "{-# ... #-}". Every
/// other character keeps its line and column.
std::string without_locations(std::string_view text);

/// Skips "{...}" and everything nested in it, if it is next.
void skip_attributes(Lexer& lexer);

/// Skips the value of one attribute, up to the "," or "}" outside all brackets.
void skip_attribute(Lexer& lexer);

/// Skips the types of results: "T" or "(T {..}, U)".
void skip_results(Lexer& lexer);

/// Skips a global, up to the first token on a later line that is outside all brackets. `depth` brackets are
/// already open.
void skip_global(Lexer& lexer, int depth = 0);

/// Consumes tokens up to and including the first ":" outside all brackets, and returns the text before it.
std::string take_until_type(Lexer& lexer);

/// True for operations that change the type of a value but not its elements, such as tensor.cast.
bool is_view(std::string_view word);

/// Reads "%a [[0, 1]] : T into U", the text after the name of a view, and returns the type of its result.
ShapedType read_view(Lexer& lexer);

/// True if both types have the same element type and number of elements.
bool same_elements(const ShapedType& a, const ShapedType& b);

/// Returns advice on an unsupported operation, such as the step that lowers it; empty if there is none.
std::string lowering_advice(std::string_view word);

}  // namespace nestor::io

#include "io/cnm/mlir_dialects.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "base/checked.h"
#include "io/checked_reader.h"

namespace nestor::io {
namespace {

constexpr auto views = std::to_array<std::string_view>(
    {"tensor.cast", "tensor.collapse_shape", "tensor.expand_shape", "memref.cast", "memref.collapse_shape",
     "memref.expand_shape", "bufferization.to_tensor", "bufferization.to_memref", "bufferization.to_buffer"});

struct Advice {
  std::string_view prefix;
  std::string_view text;
};
constexpr auto advices = std::to_array<Advice>({
    {"torch.", "lower torch with torch-mlir-opt --torch-backend-to-linalg-on-tensors-backend-pipeline"},
    {"stablehlo.", "lower stablehlo with stablehlo-opt --stablehlo-legalize-to-linalg"},
    {"tosa.",
     "lower tosa with mlir-opt "
     "--pass-pipeline='builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg))'"},
    {"torch_c.", "lower torch with torch-mlir-opt --torch-backend-to-linalg-on-tensors-backend-pipeline"},
    {"hal.", "print the program with iree-compile --compile-to=input"},
    {"flow.", "print the program with iree-compile --compile-to=input"},
    {"stream.", "print the program with iree-compile --compile-to=input"},
    {"util.initializer", "print the program with iree-compile --compile-to=input"},
    {"arith.index_cast", "bounds and positions must be constants or loop variables"},
    {"tensor.extract", "it selects elements by their values, expected an operand that contains them"},
    {"scf.",
     "print the program before --convert-linalg-to-loops, or raise it with cgeist -raise-scf-to-affine"},
    {"affine.", "expected perfect nests of affine.for around affine.load, arith and affine.store"},
    {"linalg.index", "its result depends on the position, expected an operand that contains it"},
    {"math.", "no system specifies slots for it"},
    {"func.call", "inline the function with mlir-opt --inline"},
    {"call", "inline the function with mlir-opt --inline"},
    {"linalg.softmax",
     "split linalg.softmax with the transform operation transform.structured.decompose_interface"},
});

// Returns the change of bracket depth at a token.
int depth_change(const Token& token) {
  if (token.kind != TokenKind::sign) return 0;
  if (token.text == "(" || token.text == "[" || token.text == "{" || token.text == "<") return 1;
  if (token.text == ")" || token.text == "]" || token.text == "}" || token.text == ">") return -1;
  return 0;
}

}  // namespace

std::string without_locations(std::string_view text) {
  std::string kept(text);
  int depth = 0;        // depth of parentheses in a location
  bool quoted = false;  // inside a quoted string
  bool comment = false;
  bool resources = false;
  char last = ' ';
  for (std::size_t i = 0; i < kept.size(); last = text[i++]) {
    char& c = kept[i];
    const auto rest = text.substr(i);
    if (c == '\n') {
      comment = quoted = false;
      continue;
    }
    if (!quoted && !comment && rest.starts_with("{-#")) resources = true;
    if (!comment && c == '"' && last != '\\') quoted = !quoted;
    if (!quoted && rest.starts_with("//")) comment = true;
    const bool in_word = std::isalnum(static_cast<unsigned char>(last)) != 0 ||
                         std::string_view("_$.@%#!").find(last) != std::string_view::npos;
    const bool opens = depth == 0 && !quoted && !comment && !in_word && rest.starts_with("loc(");
    const bool blank = resources || depth > 0 || opens;
    if (depth > 0 && !quoted) depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (opens) {
      for (std::size_t k = 0; k < 4; ++k) kept[i + k] = ' ';
      i += 3;
      depth = 1;
      continue;
    }
    if (rest.starts_with("#-}") && !quoted && resources) {
      for (std::size_t k = 0; k < 3; ++k) kept[i + k] = ' ';
      i += 2;
      resources = false;
      continue;
    }
    if (blank) c = ' ';
  }
  return kept;
}

void skip_attributes(Lexer& lexer) {
  if (!lexer.is("{")) return;
  int depth = 0;
  do depth += depth_change(lexer.next());
  while (depth > 0 && !lexer.at_end());
  if (depth > 0) lexer.fail_here("'}' that closes the attributes");
}

void skip_attribute(Lexer& lexer) {
  for (int depth = 0; !lexer.at_end() && (depth > 0 || (!lexer.is(",") && !lexer.is("}")));)
    depth += depth_change(lexer.next());
}

void skip_results(Lexer& lexer) {
  if (!lexer.accept("(")) {
    read_shaped_type(lexer);
    return;
  }
  while (!lexer.at_end() && !lexer.is(")")) {
    read_shaped_type(lexer);
    skip_attributes(lexer);
    if (!lexer.accept(",")) break;
  }
  lexer.expect(")");
}

void skip_global(Lexer& lexer, int depth) {
  do {
    if (depth == 0 && lexer.is("}")) return;
    depth += depth_change(lexer.next());
  } while (!lexer.at_end() && (depth > 0 || !lexer.peek().first_on_line));
}

std::string take_until_type(Lexer& lexer) {
  std::string text;
  for (int depth = 0; !lexer.at_end() && (depth > 0 || !lexer.is(":"));) {
    if (depth == 0 && lexer.is("}")) break;
    const Token token = lexer.next();
    depth += depth_change(token);
    text += token.text;
  }
  lexer.expect(":");
  return text;
}

bool is_view(std::string_view word) { return std::find(views.begin(), views.end(), word) != views.end(); }

ShapedType read_view(Lexer& lexer) {
  take_until_type(lexer);
  ShapedType type = read_shaped_type(lexer);
  if (lexer.accept("into") || lexer.accept("to")) type = read_shaped_type(lexer);
  return type;
}

bool same_elements(const ShapedType& a, const ShapedType& b) {
  const auto count = [](const ShapedType& type) {
    std::optional<Int> product = 1;
    for (const Int extent : type.dims)
      if (product) product = checked_multiply(*product, extent);
    return product;
  };
  const auto elements = count(a);
  return a.element == b.element && elements && elements == count(b);
}

std::string lowering_advice(std::string_view word) {
  for (const Advice& advice : advices)
    if (word == advice.prefix || (advice.prefix.ends_with('.') && word.starts_with(advice.prefix)))
      return quote(word) + " is not supported: " + std::string(advice.text);
  return {};
}

}  // namespace nestor::io

// Recognition of expressions that are a single XOR3 or MAJ3. They may have the form of published netlists (`a
// ^ b ^ c`, `( a & b ) | ( a & c ) | ( b & c )`, `a & ~b`), or be any formula of up to three names with the
// same truth table (`~( a & b )`, `( a & b ) | ( c & ( a | b ) )`).
#pragma once

#include <array>
#include <optional>
#include <span>

#include "io/netlist/postfix.h"
#include "model/simd/netlist.h"

namespace nestor::io {

struct Literal {
  PostfixToken token = PostfixToken(PostfixToken::Kind::constant, 0);
  bool inverted = false;
};

struct GateMatch {
  bool is_gate = true;  ///< if false, the expression is just operand[0]
  simd::GateKind kind = simd::GateKind::xor3;
  std::array<Literal, 3> operand;
};

/// Returns the gate or the operand that the expression equals; nothing if the expression needs more than one
/// gate.
std::optional<GateMatch> match_gate(std::span<const PostfixToken> tokens);

}  // namespace nestor::io

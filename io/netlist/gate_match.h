// Recognises an expression that is one XOR3 or MAJ3 in whatever way it is written: as published netlists have
// it (`a ^ b ^ c`, `( a & b ) | ( a & c ) | ( b & c )`, `a & ~b`), or as any other formula of up to three
// names with the same truth table (`~( a & b )`, `( a & b ) | ( c & ( a | b ) )`).
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
  bool is_gate = true;  ///< otherwise the expression is operand[0] itself
  simd::GateKind kind = simd::GateKind::xor3;
  std::array<Literal, 3> operand;
};

/// Nothing where the expression needs more than one gate.
std::optional<GateMatch> match_gate(std::span<const PostfixToken> tokens);

}  // namespace nestor::io

// Control flow of an assembly file: its natural loops with their instructions, and the successors of every
// instruction. Private to io/cnm.
#pragma once

#include <array>
#include <boost/dynamic_bitset.hpp>
#include <string>
#include <vector>

#include "io/cnm/assembly_text.h"

namespace nestor::io {

struct AsmLoop {
  std::size_t head = 0;
  boost::dynamic_bitset<> inside;  ///< set of the instructions in the loop
  std::size_t size = 0;
  std::string label;
};

class AsmFlow {
 public:
  explicit AsmFlow(const AsmText& text);

  static constexpr std::size_t outside = ~std::size_t{0};
  /// Returns {branch target, fall-through}. An element is `outside` if the instruction has no such successor,
  /// or if the target is not a label in the file (check_targets in assembly_calls.h says when it may be
  /// absent).
  std::array<std::size_t, 2> next(std::size_t instruction) const;
  bool branches(std::size_t instruction) const;

  const std::vector<AsmLoop>& loops() const { return loops_; }
  /// Returns the loop with this head, or null.
  const AsmLoop* loop_at(std::size_t instruction) const;
  /// Returns the smallest loop that contains the instruction, or null.
  const AsmLoop* innermost(std::size_t instruction) const;
  /// Returns an instruction in a cycle that is not a natural loop, or `outside`.
  std::size_t irreducible() const { return irreducible_; }

 private:
  void find_loops(std::size_t root);

  const AsmText& text_;
  std::vector<AsmLoop> loops_;
  std::vector<char> seen_;
  std::size_t irreducible_ = outside;
};

}  // namespace nestor::io

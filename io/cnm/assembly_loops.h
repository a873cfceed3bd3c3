// The natural loops of an assembly file: which instructions lie in each, and where one may go next. Private
// to io/cnm.
#pragma once

#include <array>
#include <boost/dynamic_bitset.hpp>
#include <string>
#include <vector>

#include "io/cnm/assembly_text.h"

namespace nestor::io {

struct AsmLoop {
  std::size_t head = 0;
  boost::dynamic_bitset<> inside;  ///< by instruction
  std::size_t size = 0;
  std::string label;
};

class AsmFlow {
 public:
  explicit AsmFlow(const AsmText& text);

  static constexpr std::size_t outside = ~std::size_t{0};
  /// {branch, fall through}; `outside` where there is none or it leaves the file or the function.
  std::array<std::size_t, 2> next(std::size_t instruction) const;
  bool branches(std::size_t instruction) const;

  const std::vector<AsmLoop>& loops() const { return loops_; }
  /// The loop whose head this is, or null.
  const AsmLoop* loop_at(std::size_t instruction) const;
  /// The smallest loop around, or null.
  const AsmLoop* innermost(std::size_t instruction) const;
  /// An instruction that lies in a cycle that is no natural loop; `outside` if there is none.
  std::size_t irreducible() const { return irreducible_; }

 private:
  void find_loops(std::size_t root);

  const AsmText& text_;
  std::vector<AsmLoop> loops_;
  std::vector<char> seen_;
  std::size_t irreducible_ = outside;
};

}  // namespace nestor::io

// An equation of a layer, O[...] += I[...] * W[...], as the layer of layer_file.h that computes it. A
// dimension is what the operands make of it: of I and O a position or the batch, of W and O an output
// channel, of I and W an input channel, of all three a group; an index of I that adds two dimensions is a
// window.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/files.h"
#include "io/neighbours/notes.h"
#include "model/loopnest/dims.h"

namespace nestor::io::neighbours {

/// "2*ox" in an index.
struct Term {
  std::string dim;
  Int factor = 1;
};
using Index = std::vector<Term>;  ///< a sum

struct Equation {
  std::vector<std::pair<std::string, Int>> bounds;  ///< each dimension once
  std::array<std::vector<Index>, operand_count> operands;

  const Int* bound(std::string_view dim) const;
};

/// `dims`, `stride`, `dilation` and `groups` of the layer; `why` is set if no layer computes the equation.
Json layer_of(const Equation& equation, const std::string& path, Notes& notes, std::string& why);

/// Pieces of a text: words of letters, digits and '_', whole numbers, and marks.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}
  bool accept(std::string_view mark);
  std::string word();  ///< empty if none is next
  std::optional<Int> number();
  bool at_end();

 private:
  void skip();
  std::string_view text_;
  std::size_t at_ = 0;
};

/// "2*ox + fx", with numbers on either side of the dimension; nothing for anything else.
std::optional<Index> scan_index(Scanner& scanner);

std::string lower(std::string_view text);

}  // namespace nestor::io::neighbours

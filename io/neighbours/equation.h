// Conversion of an equation O[...] += I[...] * W[...] to an equivalent layer (layer_file.h). A dimension of I
// and O is a position or the batch. A dimension of W and O is an output channel, and a dimension of I and W
// is an input channel. A dimension of all three operands is a group. An index of I that adds two dimensions
// is a window.
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

/// A term of an index, such as "2*ox".
struct Term {
  std::string dim;
  Int factor = 1;
};
using Index = std::vector<Term>;  ///< sum of terms

struct Equation {
  std::vector<std::pair<std::string, Int>> bounds;  ///< each dimension appears once
  std::array<std::vector<Index>, operand_count> operands;

  const Int* bound(std::string_view dim) const;
};

/// Returns `dims`, `stride`, `dilation` and `groups` of the layer. Sets `why` if no layer computes the
/// equation.
Json layer_of(const Equation& equation, const std::string& path, Notes& notes, std::string& why);

/// Scanner of words (letters, digits and '_'), integers and marks.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}
  bool accept(std::string_view mark);
  std::string word();  ///< empty if the next token is not a word
  std::optional<Int> number();
  bool at_end();

 private:
  void skip();
  std::string_view text_;
  std::size_t at_ = 0;
};

/// Reads an index such as "2*ox + fx", with the factor on either side of the dimension. Returns nothing if
/// there is no index.
std::optional<Index> scan_index(Scanner& scanner);

std::string lower(std::string_view text);

}  // namespace nestor::io::neighbours

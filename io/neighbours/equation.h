// Conversion of an equation O[...] += I[...] * W[...] to the layer of layer_file.h that computes it. The
// operands that use a dimension determine its kind: I and O a position or the batch, W and O an output
// channel, I and W an input channel, all three a group. An index of I that adds two dimensions is a window.
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

/// Reads an index such as "2*ox + fx", with the factor on either side of the dimension; otherwise returns
/// nothing.
std::optional<Index> scan_index(Scanner& scanner);

std::string lower(std::string_view text);

}  // namespace nestor::io::neighbours

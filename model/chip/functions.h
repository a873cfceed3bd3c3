// Digital functions of a chip (docs/models/chip.md, section 3, "Functions"). A machine file with `functions`
// lists all that the chip computes outside its crossbars. An operator whose type no function computes is made
// of others: it stays one operator, its operations are the sum, and its program calls them one after another.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/chip/machine.h"
#include "model/chip/network.h"

namespace nestor::chip {

/// A word or ONNX operator type as it is compared: in lower case, one spelling for types that share a
/// function
/// ("GlobalAveragePool" is "avgpool", "LayerNormalization" is "layernorm").
std::string function_word(std::string_view text);

/// True for the words of the page and for ONNX operator types, in any case.
bool is_function_word(std::string_view text);

/// The function that computes a word; null if the chip has none.
const ChipFunction* find_function(const ChipMachine& machine, std::string_view word);

/// What a digital operator does for one output row.
struct DigitalWork {
  Int made = 0;        ///< elements of the row
  Int read = 0;        ///< elements that max, sum and the pools read for it
  bool unary = false;  ///< one input decides each element: a table will do
};

struct Lowering {
  Int operations = 0;  ///< of a row
  std::vector<std::string> calls;
};

/// The function for an operator type, or else the first alternative whose words the chip all has. Otherwise a
/// sentence with the words that each alternative lacks. The machine must list functions.
std::variant<Lowering, std::string> lower(const ChipMachine& machine, std::string_view type,
                                          const DigitalWork& work);

/// True if products of activations may run on the digital unit: it multiplies and adds.
bool multiplies(const ChipMachine& machine);

/// Functions that a digital operator calls, in order; none where the machine does not list functions.
std::vector<std::string> calls_of(const ChipMachine& machine, const Operator& op);

/// Why a network cannot run on a machine that lists its functions: the first operator that asks for one that
/// is missing.
std::optional<std::string> missing_function(const ChipMachine& machine, const ChipNetwork& network);

}  // namespace nestor::chip

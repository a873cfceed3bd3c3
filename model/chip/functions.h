// Digital functions of a chip (docs/models/chip.md, section 3, "Functions"). A machine file with `functions`
// lists everything that the chip computes outside its crossbars. An operator without a function for its type
// is composed of several functions. It stays one operator, its operations are their sum, and its program
// calls them in order.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/chip/machine.h"
#include "model/chip/network.h"

namespace nestor::chip {

/// Returns the normalised form of a word or ONNX operator type: lower case, with one spelling for types that
/// share a function ("GlobalAveragePool" is "avgpool", "LayerNormalization" is "layernorm").
std::string function_word(std::string_view text);

/// True for the function words of docs/models/chip.md and for ONNX operator types, in any case.
bool is_function_word(std::string_view text);

/// Returns the function that computes a word, or null if the chip has none.
const ChipFunction* find_function(const ChipMachine& machine, std::string_view word);

/// Work of a digital operator for one output row.
struct DigitalWork {
  Int made = 0;        ///< output elements of the row
  Int read = 0;        ///< elements that max, sum and the pools read
  bool unary = false;  ///< one input decides each element, so a table suffices
};

struct Lowering {
  Int operations = 0;  ///< operations per row
  std::vector<std::string> calls;
};

/// Returns the function for an operator type, or the first alternative for which the chip has all functions.
/// Otherwise returns a message with the functions that each alternative lacks. The machine must list
/// functions.
std::variant<Lowering, std::string> lower(const ChipMachine& machine, std::string_view type,
                                          const DigitalWork& work);

/// True if the digital unit multiplies and adds, so that it can compute products of activations.
bool multiplies(const ChipMachine& machine);

/// Returns the functions that a digital operator calls, in order. The list is empty if the machine does not
/// list functions.
std::vector<std::string> calls_of(const ChipMachine& machine, const Operator& op);

/// Returns a message about the first operator that needs a function that the machine lacks. Returns nothing
/// if all functions exist or the machine does not list functions.
std::optional<std::string> missing_function(const ChipMachine& machine, const ChipNetwork& network);

}  // namespace nestor::chip

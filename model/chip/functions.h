// Digital functions of a chip (docs/models/chip.md, section 3, "Functions"). A machine file with `functions`
// lists all functions that the chip computes outside its crossbars. If the chip has no function for the type
// of an operator, the operator is composed of several functions. It remains one operator, its operations are
// the sum of the operations of these functions, and its program calls them in order.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/chip/machine.h"
#include "model/chip/network.h"

namespace nestor::chip {

/// Returns the normalised form of a word or ONNX operator type: in lower case, with one spelling for types
/// that share a function ("GlobalAveragePool" is "avgpool", "LayerNormalization" is "layernorm").
std::string function_word(std::string_view text);

/// True for the function words of docs/models/chip.md and for ONNX operator types, in any letter case.
bool is_function_word(std::string_view text);

/// True if programs can call a function by this name: it consists of letters, digits and '_', does not begin
/// with a digit, and is not a word that begins a statement or a thread of a program.
bool may_be_called(std::string_view name);

/// Returns the chip's function for a function word, or null if the chip has none.
const ChipFunction* find_function(const ChipMachine& machine, std::string_view word);

/// Work of a digital operator for one output row.
struct DigitalWork {
  Int made = 0;        ///< number of output elements of the row
  Int read = 0;        ///< number of elements that max, sum and the pools read
  bool unary = false;  ///< true if a single input determines each element, so that a table suffices
};

struct Lowering {
  Int operations = 0;  ///< number of operations for one row
  std::vector<std::string> calls;
};

/// Returns the calls and operations of an operator type: the chip's function for it, or the first sequence of
/// functions that computes it and of which the chip has every function (docs/models/chip.md, section 3).
/// Otherwise returns a message with the missing functions of each sequence. The machine must list functions.
std::variant<Lowering, std::string> lower(const ChipMachine& machine, std::string_view type,
                                          const DigitalWork& work);

/// True if the digital unit can multiply and add, so that it can compute products of activations.
bool multiplies(const ChipMachine& machine);

/// Returns the functions that a digital operator calls, in order. The list is empty if the machine does not
/// list functions, or lacks one that the operator requires.
std::vector<std::string> calls_of(const ChipMachine& machine, const Operator& op);

/// Returns a message about the first operator that requires a function that the machine lacks. Returns
/// nothing if all functions exist or if the machine does not list functions.
std::optional<std::string> missing_function(const ChipMachine& machine, const ChipNetwork& network);

}  // namespace nestor::chip

// Code outside an assembly file: the cost of the runtime functions that a kernel calls, and labels that the
// file does not contain. Private to io/cnm.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "io/cnm/assembly_text.h"
#include "model/cnm/program.h"
#include "model/cnm/system.h"

namespace nestor::io {

/// Returns the program item for a call of the system's function `name`, or the reason why its cost is
/// unknown. `bytes` is the number of bytes that the function processes, if known. `multiply_k` is the value
/// of k in costs such as "8 + k".
std::variant<cnm::Item, std::string> runtime_call(const std::string& name, std::optional<Int> bytes,
                                                  Int multiply_k, const cnm::System& system);

/// Checks the labels to which instructions branch. In a program with a label `main`, each must be in the file
/// or be a function of the system. A fragment of a program may also branch to labels outside it; each of them
/// adds a warning.
MaybeError check_targets(const AsmText& text, const std::string& file, const cnm::System& system,
                         std::vector<std::string>& warnings);

}  // namespace nestor::io

// Cost of the runtime's functions that a kernel in assembly calls. Private to io/cnm.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "model/cnm/program.h"
#include "model/cnm/system.h"

namespace nestor::io {

/// What a call of the system's function `name` does, or why that is not known. `bytes`: what it works on;
/// `multiply_k`: see `AssemblyFacts`.
std::variant<cnm::Item, std::string> runtime_call(const std::string& name, std::optional<Int> bytes,
                                                  Int multiply_k, const cnm::System& system);

}  // namespace nestor::io

// Parser of the options that describe a kernel in addition to its text: dimensions of a built-in kernel, the
// cost parameter k of its multiplications (`mul=K`), and facts that an assembly file does not contain.
#pragma once

#include <span>
#include <string_view>
#include <utility>

#include "io/cnm/assembly.h"
#include "io/options.h"

namespace nestor::io {

using NamedDim = std::pair<std::string_view, Int*>;

/// Reads --dims, "NAME=VALUE,...". Each name must be in `known`.
MaybeError read_kernel_dims(const RunOptions& options, std::span<const NamedDim> known);

/// Reads --values, if it is given.
MaybeError read_multiply_k(const RunOptions& options, Int& k);

/// Reads --args, --args-symbol, --regs, --trips, --branch and --values.
MaybeError read_assembly_facts(const RunOptions& options, AssemblyFacts& facts);

}  // namespace nestor::io

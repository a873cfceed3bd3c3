// Names in the JSON of a compiled network. report/chip writes them, and report/chip/verify compares them with
// the names in a file.
#pragma once

#include <array>
#include <string_view>

#include "report/keys/chip.h"
#include "report/keys/common.h"

namespace nestor::io {

// Keys by the object that contains them.
namespace compile_keys {
/// Keys of evaluated decisions.
inline constexpr std::array<std::string_view, 12> evaluated = {
    key::schema,       key::version, key::space,     key::verb,       key::options,    key::inputs,
    key::architecture, key::network, key::decisions, key::evaluation, key::throughput, key::totals};
/// Further keys of every compiled network.
inline constexpr std::array<std::string_view, 4> searched = {key::objective, key::status,
                                                             key::baseline_cycles, key::search};
/// Keys of the counts of a search, in the order in which they are written.
inline constexpr std::array<std::string_view, 7> counts = {
    key::nodes,        "knapsacks", "linear_programs", "closed_by_longest_path", "closed_by_mixed_paths",
    "options_removed", key::labels};
}  // namespace compile_keys

}  // namespace nestor::io

// Names in the JSON of a compiled network. report/chip writes them, and report/chip/verify compares them with
// the names in a file.
#pragma once

#include <array>
#include <string_view>

#include "report/keys/chip.h"
#include "report/keys/common.h"

namespace nestor::io {

inline constexpr std::string_view compile_schema = "nestor.compile/1";
inline constexpr std::string_view compile_evaluation_schema = "nestor.compile-evaluation/1";

// Keys by the object that contains them.
namespace compile_keys {
/// Keys of every compiled network, besides network, search and throughput.
inline constexpr std::array<std::string_view, 13> always = {
    key::schema,     key::version,      key::verb,      key::space,     key::inputs,
    key::options,    key::status,       key::objective, key::baselines, key::decisions,
    key::evaluation, key::architecture, key::totals};
/// Keys of evaluated decisions.
inline constexpr std::array<std::string_view, 10> evaluated = {
    key::schema,     key::version,    key::verb,   key::space,        key::decisions,
    key::evaluation, key::throughput, key::totals, key::architecture, key::network};
/// Keys of the counts of a search, in the order in which they are written.
inline constexpr std::array<std::string_view, 7> counts = {
    key::nodes,        "knapsacks", "linear_programs", "closed_by_longest_path", "closed_by_mixed_paths",
    "options_removed", key::labels};
}  // namespace compile_keys

}  // namespace nestor::io

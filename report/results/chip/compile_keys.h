// What the JSON of a compiled network calls itself and its parts: written by report/chip, held against what a
// file has by report/chip/verify.
#pragma once

#include <array>
#include <string_view>

namespace nestor::io {

inline constexpr std::string_view compile_schema = "nestor.compile/1";
inline constexpr std::string_view compile_evaluation_schema = "nestor.compile-evaluation/1";

// Keys in the order in which they are written.
namespace compile_keys {
/// Of every compiled network.
inline constexpr std::array<std::string_view, 12> always = {
    "schema", "version",   "verb",      "space",     "inputs",     "options",
    "status", "objective", "baselines", "decisions", "evaluation", "architecture"};
/// Of decisions that were evaluated.
inline constexpr std::array<std::string_view, 8> evaluated = {
    "schema", "version", "verb", "space", "decisions", "evaluation", "architecture", "network"};
/// Of the search.
inline constexpr std::array<std::string_view, 7> counts = {
    "nodes",           "knapsacks", "linear_programs", "closed_by_longest_path", "closed_by_mixed_paths",
    "options_removed", "labels"};
}  // namespace compile_keys

}  // namespace nestor::io

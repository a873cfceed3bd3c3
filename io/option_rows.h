// Rows of the option table (options.h). Every space with additional options has a separate file. Private to
// io.
//
// To add the options of a space: add fields to the structs of its verbs (options.h), a file
// option_rows_SPACE.cpp, the declaration of the file's function here, and a call in option_table().
#pragma once

#include <array>
#include <limits>
#include <span>

#include "io/options.h"

namespace nestor::io {

inline constexpr double no_limit = std::numeric_limits<double>::infinity();
inline constexpr VerbSet on_models = VerbSet::of(Verb::map, Verb::export_model, Verb::compare);

std::span<const Option> shared_option_rows();
std::span<const Option> simd_option_rows();
std::span<const Option> cim_option_rows();
std::span<const Option> cnm_option_rows();
std::span<const Option> compile_option_rows();
std::span<const Option> pim_option_rows();
std::span<const Option> sweep_option_rows();

/// An option whose value is one word of an enumeration (EnumWords).
template <auto Field, const auto& Words>
constexpr ChoiceValue choice() {
  return {Words.words, [](RunOptions& options, std::size_t i) { options.*Field = Words.values[i]; },
          [](const RunOptions& options) { return Words.place(options.*Field); }};
}

/// Like choice(), for a field of type std::optional.
template <auto Field, const auto& Words>
constexpr ChoiceValue optional_choice() {
  return {Words.words, [](RunOptions& options, std::size_t i) { options.*Field = Words.values[i]; },
          [](const RunOptions& options) {
            return options.*Field ? Words.place(*(options.*Field)) : std::string_view::npos;
          }};
}

}  // namespace nestor::io

// Texts that are generated from the tables of verbs and options: help, man pages and shell completions.
#pragma once

#include <string>
#include <string_view>

#include "app/verb_table.h"

namespace nestor::app {

/// Returns the text that `nestor` prints without arguments.
std::string general_help(Spaces spaces);
/// Returns the text that `nestor VERB --help` prints: options by group, an example and related verbs.
std::string verb_help(const VerbEntry& entry);
/// Returns the man page of a verb as troff source.
std::string man_page(const VerbEntry& entry);
/// Returns a script that completes verbs and options in a shell, or an empty string for an unknown shell.
std::string completion(std::string_view shell, Spaces spaces);
/// The shells that completion() knows.
inline constexpr std::string_view shells[] = {"bash", "zsh", "fish"};

}  // namespace nestor::app

// Texts that follow from the tables of verbs and options: help, man pages, and completions of shells.
#pragma once

#include <string>
#include <string_view>

#include "app/verb_table.h"

namespace nestor::app {

/// What `nestor` alone prints.
std::string general_help(Spaces spaces);
/// What `nestor VERB --help` prints: options by group, an example, verbs of the same use.
std::string verb_help(const VerbEntry& entry);
/// The man page of a verb, as troff source.
std::string man_page(const VerbEntry& entry);
/// A script that completes verbs and options in a shell; empty for an unknown one.
std::string completion(std::string_view shell, Spaces spaces);
/// The shells that completion() knows.
inline constexpr std::string_view shells[] = {"bash", "zsh", "fish"};

}  // namespace nestor::app

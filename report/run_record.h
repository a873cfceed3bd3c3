// Record of a run in the head of its result: the given options, and the inputs with their hashes.
#pragma once

#include <string>

#include "io/find_data.h"
#include "io/options.h"
#include "report/results/result_head.h"

namespace nestor::report {

/// Describes an input text.
io::ResultInput describe_text(std::string_view role, const std::string& name, std::string_view text);
/// Describes an input, given by the name of built-in data or by a path.
io::ResultInput describe_input(std::string_view role, const std::string& name, io::DataKind kind);
/// Describes an input file.
io::ResultInput describe_file(std::string_view role, const std::string& path);

/// Returns the given options with their values.
io::OptionTexts given_options(const io::RunOptions& options, io::Verb verb);

/// Reads the options of a result again. Adds a sentence to `findings` for each one that its verb or its space
/// does not have.
io::RunOptions options_of_result(const io::OptionTexts& options, io::Verb verb, std::string_view space,
                                 std::vector<std::string>& findings);
io::RunOptions options_of_result(const io::Json& options, io::Verb verb, std::string_view space,
                                 std::vector<std::string>& findings);

/// Returns the head of a result of this version, with the given options. The caller adds the inputs and the
/// objective.
io::ResultHead result_head(std::string_view space, io::Verb verb, const io::RunOptions& options);

}  // namespace nestor::report

// Record of a run in its result: the given options, and the inputs with their digests.
#pragma once

#include <filesystem>
#include <string>

#include "io/options.h"
#include "report/results/result_parts.h"

namespace nestor::report {

/// Returns name, size and digest of an input text.
io::ResultInput describe_text(std::string_view role, const std::string& name, std::string_view text);
/// Returns name, size and digest of an input file.
io::ResultInput describe_input(std::string_view role, const std::string& name,
                               const std::filesystem::path& path);

/// Returns the given options with their values.
io::OptionTexts given_options(const io::RunOptions& options, io::Verb verb);

/// Returns the given options as JSON, in the form of results.
io::Json options_json(const io::RunOptions& options, io::Verb verb);

/// Adds `options` and `inputs`. The inputs are the architectures, and the other inputs of the run with the
/// role `role`.
void put_given(io::Json& json, const io::RunOptions& options, io::Verb verb, std::string_view role);

}  // namespace nestor::report

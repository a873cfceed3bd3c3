// Record of a run in its result: inputs, by digest, and the options that were given.
#pragma once

#include <filesystem>
#include <string>

#include "io/options.h"
#include "report/results/result_parts.h"

namespace nestor::report {

/// Name, size and digest of an input that was read.
io::ResultInput describe_text(std::string_view role, const std::string& name, std::string_view text);
/// The same of a file.
io::ResultInput describe_input(std::string_view role, const std::string& name,
                               const std::filesystem::path& path);

/// The options that were given, with their values.
io::OptionTexts given_options(const io::RunOptions& options, io::Verb verb);

/// The same as a result has them.
io::Json options_json(const io::RunOptions& options, io::Verb verb);

/// `options` and `inputs`: the architectures, and what the run is about, of this role.
void put_given(io::Json& json, const io::RunOptions& options, io::Verb verb, std::string_view role);

}  // namespace nestor::report

#include "report/run_record.h"

#include <algorithm>
#include <array>

#include "io/digest.h"
#include "io/files.h"

namespace nestor::report {

io::ResultInput describe_text(std::string_view role, const std::string& name, std::string_view text) {
  io::ResultInput input;
  input.role = role;
  input.name = name;
  input.bytes = static_cast<Int>(text.size());
  input.digest = io::digest(text);
  return input;
}

io::ResultInput describe_input(std::string_view role, const std::string& name,
                               const std::filesystem::path& path) {
  if (const auto content = io::read_file(path)) return describe_text(role, name, *content);
  io::ResultInput input;
  input.role = role;
  input.name = name;
  return input;
}

io::OptionTexts given_options(const io::RunOptions& options, io::Verb verb) {
  io::OptionTexts given;
  // Names of files that are written, and where a run keeps its state, leave no trace in what it finds.
  constexpr std::array<std::string_view, 4> no_trace = {"every", "resume", "no-times", "quiet"};
  for (const auto& option : io::option_table())
    if (option.verbs.contains(verb) && options.is_given(option.name) && !option.is_output() &&
        std::find(no_trace.begin(), no_trace.end(), option.name) == no_trace.end())
      given.emplace_back(option.name, option.get(options));
  return given;
}

}  // namespace nestor::report

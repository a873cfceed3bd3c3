#include "report/run_record.h"

#include <fmt/format.h>

#include "io/files.h"
#include "io/sha256.h"

namespace nestor::report {

io::ResultInput describe_text(std::string_view role, const std::string& name, std::string_view text) {
  return {std::string(role), name, io::sha256(text)};
}

io::ResultInput describe_input(std::string_view role, const std::string& name, io::DataKind kind) {
  const auto path = io::find_data(kind, name);
  auto input = describe_file(role, path ? path->string() : std::string());
  input.name = name;
  return input;
}

io::ResultInput describe_file(std::string_view role, const std::string& path) {
  const auto content = path.empty() ? io::Result<std::string>(io::Error()) : io::read_file(path);
  return content ? describe_text(role, path, *content) : io::ResultInput{std::string(role), path, {}};
}

io::OptionTexts given_options(const io::RunOptions& options, io::Verb verb) {
  io::OptionTexts given;
  for (const auto& option : io::option_table())
    if (option.verbs.contains(verb) && options.is_given(option.name) && !option.is_output() &&
        option.is_recorded)
      given.emplace_back(option.name, option.get(options));
  return given;
}

io::RunOptions options_of_result(const io::OptionTexts& options, io::Verb verb, std::string_view space,
                                 std::vector<std::string>& findings) {
  io::RunOptions given;
  for (const auto& [name, text] : options) {
    const auto* const option = io::find_option(verb, name);
    if (option != nullptr && !option->is_for(space))
      findings.push_back(fmt::format("options: --{} does not apply to the space '{}'", name, space));
    if (const auto error = io::set_option(given, verb, name, text))
      findings.push_back("options: " + error->message);
  }
  return given;
}

io::RunOptions options_of_result(const io::Json& options, io::Verb verb, std::string_view space,
                                 std::vector<std::string>& findings) {
  io::OptionTexts texts;
  if (!options.is_object()) findings.emplace_back("options is missing");
  for (const auto& [name, value] : options.items()) {
    if (value.is_string())
      texts.emplace_back(name, value.get<std::string>());
    else
      findings.push_back(fmt::format("options: '{}' is not a text", name));
  }
  return options_of_result(texts, verb, space, findings);
}

io::ResultHead result_head(std::string_view space, io::Verb verb, const io::RunOptions& options) {
  io::ResultHead head;
  head.version = NESTOR_VERSION;
  head.space = space;
  head.verb = io::to_string(verb);
  head.options = given_options(options, verb);
  return head;
}

}  // namespace nestor::report

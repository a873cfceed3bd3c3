#include "report/run_record.h"

#include <algorithm>
#include <array>

#include "base/split.h"
#include "io/digest.h"
#include "io/files.h"
#include "io/find_data.h"
#include "report/keys/common.h"

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
  // Output files and these options do not affect the result of a run.
  constexpr std::array<std::string_view, 4> no_trace = {"every", "resume", "no-times", "quiet"};
  for (const auto& option : io::option_table())
    if (option.verbs.contains(verb) && options.is_given(option.name) && !option.is_output() &&
        std::find(no_trace.begin(), no_trace.end(), option.name) == no_trace.end())
      given.emplace_back(option.name, option.get(options));
  return given;
}

io::Json options_json(const io::RunOptions& options, io::Verb verb) {
  auto json = io::Json::object();
  for (const auto& [name, text] : given_options(options, verb)) json[name] = text;
  return json;
}

void put_given(io::Json& json, const io::RunOptions& options, io::Verb verb, std::string_view role) {
  json[key::options] = options_json(options, verb);
  auto& inputs = json[key::inputs] = io::Json::array();
  const auto add = [&](std::string_view of, const std::string& name, io::DataKind kind) {
    io::Json input = {{key::role, of}, {key::name, name}};  // no digest if it is not a file
    if (const auto path = io::find_data(kind, name); path && name != "-")
      if (const auto text = io::read_file(*path)) input = io::input_to_json(describe_text(of, name, *text));
    inputs.push_back(std::move(input));
  };
  for (const std::string_view machine : split_list(options.arch, ','))
    add("architecture", std::string(machine), io::DataKind::architecture);
  for (const auto& name : options.inputs) add(role, name, io::DataKind::network);
}

}  // namespace nestor::report

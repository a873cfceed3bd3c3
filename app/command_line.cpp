#include "app/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <new>
#include <variant>

#include "app/console.h"
#include "app/help.h"
#include "io/find_data.h"
#include "solver/engine/memory_reserve.h"

namespace nestor::app {
namespace {

std::string version_text(const BuildFacts& build) {
  auto text = fmt::format("nestor " NESTOR_VERSION "{}\n",
                          build.commit.empty() ? "" : fmt::format(" (commit {})", build.commit));
  if (!build.compiler.empty())
    text += fmt::format("compiled by {}, with {}\n", build.compiler, build.packages);
  return text;
}

const VerbEntry* find_verb(std::string_view name, Spaces spaces) {
  for (const auto& entry : verbs())
    if (io::to_string(entry.verb) == name && is_offered(entry, spaces)) return &entry;
  return nullptr;
}

// Refuses the repetition of an option with a single value, since it would be unclear which value applies.
io::MaybeError refuse_repetition(const VerbEntry& entry, std::span<const std::string> words) {
  std::vector<std::string_view> seen;
  for (const std::string_view word : words) {
    if (!word.starts_with('-') || word == "-") continue;
    for (const auto& option : io::option_table()) {
      const bool is_long = word.starts_with("--") && word.substr(2, word.find('=') - 2) == option.name;
      const bool is_short = !word.starts_with("--") && option.letter != '\0' && word[1] == option.letter;
      if (!option.verbs.contains(entry.verb) || option.is_repeatable() || !(is_long || is_short)) continue;
      if (std::find(seen.begin(), seen.end(), option.name) != seen.end())
        return io::usage_error(fmt::format("--{} is given twice", option.name));
      seen.push_back(option.name);
    }
  }
  return std::nullopt;
}

// Declares the options of a verb to CLI11. Their values are stored in `options`, the first error in `error`.
void declare(CLI::App& parser, const VerbEntry& entry, io::RunOptions& options, io::MaybeError& error) {
  parser.add_option("inputs", options.inputs);
  for (const auto& option : io::option_table()) {
    if (!option.verbs.contains(entry.verb)) continue;
    const auto assign = [&options, &error, &option](const CLI::results_t& values) {
      for (std::size_t i = 0; i < std::max<std::size_t>(values.size(), 1) && !error; ++i)
        error = option.set(options, values.empty() ? std::string() : values[i]);
      return true;
    };
    const auto names = option.letter == '\0' ? fmt::format("--{}", option.name)
                                             : fmt::format("-{},--{}", option.letter, option.name);
    auto* declared = parser.add_option(names, assign);
    declared->expected(0, option.is_switch() ? 0 : 1);  // the table defines the value of a bare option
    declared->multi_option_policy(option.is_repeatable() ? CLI::MultiOptionPolicy::TakeAll
                                                         : CLI::MultiOptionPolicy::TakeLast);
  }
}

// True if the word after a bare --json is clearly an input: a shipped name, or a file of a kind that is read
// but never written as JSON. Any other word is the file of --json. `--json=FILE` accepts any name.
bool is_input(std::string_view word, Spaces spaces) {
  constexpr std::array<std::string_view, 10> endings = {".yaml", ".yml", ".onnx", ".mlir", ".v",
                                                        ".blif", ".aag", ".aig",  ".mps",  ".lp"};
  const auto ends = [&](std::string_view ending) { return word.ends_with(ending); };
  if (std::any_of(endings.begin(), endings.end(), ends)) return true;
  const auto ships = [&](io::DataKind kind) {
    const auto names = io::shipped_names(kind);
    return std::find(names.begin(), names.end(), word) != names.end();
  };
  return ships(io::DataKind::network) || ships(io::DataKind::architecture) ||
         std::any_of(spaces.begin(), spaces.end(),
                     [&](const Space& space) { return space.networks && ships(space.networks->kind); });
}

std::vector<std::string> with_bare_outputs(std::vector<std::string> words, Spaces spaces) {
  for (std::size_t i = 1; i + 1 < words.size(); ++i) {
    if (!words[i].starts_with("--")) continue;
    const auto name = std::string_view(words[i]).substr(2);
    const bool bare =
        std::any_of(io::option_table().begin(), io::option_table().end(), [&](const io::Option& option) {
          return option.name == name && std::holds_alternative<io::OutputValue>(option.value) &&
                 option.value_is_optional();
        });
    if (bare && is_input(words[i + 1], spaces)) words[i] += "=-";
  }
  return words;
}

io::Error unknown_option(const VerbEntry& entry, std::string_view word) {
  std::vector<std::string> names;
  for (const auto& option : io::option_table())
    if (option.verbs.contains(entry.verb)) names.push_back(fmt::format("--{}", option.name));
  names.emplace_back("--help");
  const auto bare = word.substr(0, word.find('='));
  return io::usage_error(fmt::format("unknown option '{}' for {}{}", bare, io::to_string(entry.verb),
                                     io::suggestion(bare, {names.begin(), names.end()})));
}

// Returns the text for `--completion SHELL` or `--man VERB`.
io::Result<Command> table_text(const std::vector<std::string>& words, Spaces spaces) {
  const auto word = words.size() == 2 ? std::string_view(words[1]) : std::string_view();
  if (words[0] == "--man") {
    const auto* const entry = find_verb(word, spaces);
    if (entry == nullptr) return io::usage_error("--man: expected one verb (`nestor --help` lists them)");
    return Command{.text = man_page(*entry)};
  }
  auto text = completion(word, spaces);
  if (text.empty())
    return io::usage_error(fmt::format("--completion: expected one of {}", fmt::join(shells, ", ")));
  return Command{.text = std::move(text)};
}

int run(std::span<const char* const> arguments, Spaces spaces, const BuildFacts& build) {
  const auto command = parse_command_line(arguments, spaces, build);
  if (!command) return print_failure(command.error());
  auto outcome = ExitStatus::solved;
  if (command->verb == nullptr) {
    print_text(command->text);
  } else {
    const auto result = run_verb(*command->verb, command->options, spaces);
    if (!result) return print_failure(result.error());
    outcome = result.value();
  }
  if (const auto error = finish_output()) return print_failure(*error);
  return static_cast<int>(outcome);
}

}  // namespace

int run_tool(std::span<const char* const> arguments, Spaces spaces, const BuildFacts& build) {
  try {
    keep_memory_reserve();
    return run(arguments, spaces, build);
  } catch (const std::bad_alloc&) {
    return print_failure(
        io::limit_error("stopped before the end (memory_limit): no more memory is available"));
  } catch (const std::exception& failure) {
    return print_failure(io::internal_error(failure.what()));
  }
}

io::Result<Command> parse_command_line(std::span<const char* const> arguments, Spaces spaces,
                                       const BuildFacts& build) {
  const auto words =
      with_bare_outputs({arguments.begin() + (arguments.empty() ? 0 : 1), arguments.end()}, spaces);
  if (words.empty()) return Command{.text = general_help(spaces)};
  const auto& first = words.front();
  if (first == "--completion" || first == "--man") return table_text(words, spaces);
  if (first == "--version" || first == "-V") return Command{.text = version_text(build)};
  if (first == "--help" || first == "-h" || first == "help") {
    const auto* entry = words.size() > 1 ? find_verb(words[1], spaces) : nullptr;
    return Command{.text = entry != nullptr ? verb_help(*entry) : general_help(spaces)};
  }
  const auto* entry = find_verb(first, spaces);
  if (entry == nullptr) {
    std::vector<std::string_view> names;
    for (const auto& verb : verbs())
      if (is_offered(verb, spaces)) names.push_back(io::to_string(verb.verb));
    return io::usage_error(fmt::format("unknown verb '{}'{}", first, io::suggestion(first, names)));
  }

  Command command{.verb = entry};
  io::MaybeError error;
  CLI::App parser;
  parser.set_help_flag("-h,--help");
  parser.allow_extras();
  declare(parser, *entry, command.options, error);
  try {
    parser.parse(std::vector<std::string>(words.rbegin(), words.rend() - 1));  // CLI11 reads from the end
  } catch (const CLI::CallForHelp&) {
    return Command{.text = verb_help(*entry)};
  } catch (const CLI::ParseError& failure) {
    return io::usage_error(failure.what());
  }
  if (const auto extras = parser.remaining(); !extras.empty()) return unknown_option(*entry, extras.front());
  if (error) return *error;
  if (auto repetition = refuse_repetition(*entry, std::span(words).subspan(1))) return *repetition;
  if (auto exclusion = io::check_exclusions(command.options, entry->verb)) return *exclusion;
  return command;
}

}  // namespace nestor::app

#include "app/space.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "io/checked_reader.h"
#include "io/find_data.h"

namespace nestor::app {
namespace {

std::vector<std::string_view> kinds_of(Spaces spaces) {
  std::vector<std::string_view> kinds;
  for (const Space& space : spaces) kinds.push_back(space.kind);
  return kinds;
}

// Returns the space of a word such as "chip" or "chip-network", or null.
const Space* owner_of(Spaces spaces, std::string_view word) {
  for (const Space& space : spaces)
    if (word == space.kind ||
        (word.starts_with(space.kind) && word.substr(space.kind.size()).starts_with('-')))
      return &space;
  return nullptr;
}

io::Result<const Space*> owner_of(Spaces spaces, std::string_view key, const io::Node& word) {
  if (const Space* space = owner_of(spaces, word.text())) return space;
  const auto kinds = kinds_of(spaces);
  return io::input_error(word.where(),
                         fmt::format("{} is {}{}, expected {}", key, io::quote(word.text()),
                                     io::suggestion(word.text(), kinds), io::join_words(kinds)));
}

// Returns the only space that reads this file format, or null.
const Space* owner_of_file(Spaces spaces, const std::string& path, std::string_view head) {
  for (const Space& space : spaces)
    if (space.owns != nullptr && space.owns(path, head)) return &space;
  return nullptr;
}

// Returns the space of an option that only one space has, or null.
const Space* owner_of_options(Spaces spaces, const io::RunOptions& options, io::Verb verb) {
  for (const auto name : options.given)
    if (const auto* const option = io::find_option(verb, name))
      if (const Space* const space = find_space(spaces, option->kinds)) return space;
  return nullptr;
}

}  // namespace

void Shown::add_layer(std::string_view name, std::string_view machine, std::string_view shape,
                      std::string_view mapping) {
  text += fmt::format("{}{} on {}: {}\n\n{}", text.empty() ? "" : "\n", name, machine, shape, mapping);
}

const Space* find_space(Spaces spaces, std::string_view kind) {
  for (const Space& space : spaces)
    if (space.kind == kind) return &space;
  return nullptr;
}

io::Result<const Space*> space_of_file(Spaces spaces, const std::string& path) {
  const auto head = io::read_head(path, io::head_bytes);
  if (const Space* const space = owner_of_file(spaces, path, head)) return space;
  const auto document = io::Document::head(head, path);
  for (const std::string_view key : {"space", "kind"})
    if (const auto word = document.root().find(key)) return owner_of(spaces, key, *word);
  return nullptr;
}

io::Result<const Space*> space_of(Spaces spaces, const io::RunOptions& options, io::Verb verb,
                                  SpaceVerb Space::*member) {
  std::vector<std::string_view> able;
  for (const Space& space : spaces)
    if (space.*member != nullptr) able.push_back(space.kind);
  io::Result<const Space*> said = nullptr;
  if (!options.arch.empty()) {
    // In a list of machines, which only the cnm space accepts, the first machine determines the space.
    auto path = io::find_data(io::DataKind::architecture, options.arch);
    if (const auto comma = options.arch.find(','); !path && comma != std::string::npos)
      path = io::find_data(io::DataKind::architecture, options.arch.substr(0, comma));
    if (!path) return path.error();
    said = space_of_file(spaces, path->string());
    if (said && *said == nullptr) said = &spaces.front();
  } else {
    if (able.size() > 1 && !options.inputs.empty()) said = space_of_file(spaces, options.inputs.front());
    if (said && *said == nullptr) said = owner_of_options(spaces, options, verb);
  }
  if (!said) return said;
  const Space* const space = *said != nullptr ? *said : find_space(spaces, able.front());
  if (space->*member != nullptr) return space;
  return io::usage_error(fmt::format("{} does not apply to kind '{}' ({}), only to {}", io::to_string(verb),
                                     space->kind, space->title, io::join_words(able)));
}

io::MaybeError check_options_of(const Space& space, const io::RunOptions& options, io::Verb verb) {
  for (const auto name : options.given) {
    const auto* const option = io::find_option(verb, name);
    if (option == nullptr || option->is_for(space.kind)) continue;
    return io::usage_error(
        fmt::format("--{} cannot be used with kind '{}', only with {}", name, space.kind, option->kinds));
  }
  return io::check_exclusions(options, verb, space.kind);
}

}  // namespace nestor::app

#include "io/neighbours/notes.h"

#include <fmt/format.h>

#include <algorithm>

namespace nestor::io::neighbours {
namespace {

constexpr std::size_t most_notes = 200;
constexpr std::size_t most_words = 4096;

}  // namespace

void Notes::leave_out(std::string_view path, std::string_view why) {
  auto line = fmt::format("{}: {}", path, why);
  if (lines_.size() >= most_notes) line = "further keys: not listed";
  if (std::find(lines_.begin(), lines_.end(), line) == lines_.end()) lines_.push_back(std::move(line));
}

void Notes::leave_out_others(const Node& map, const std::string& path, Words known) {
  for (std::size_t i = 0; i < map.size() && map.is_map(); ++i) {
    const auto key = map.key(i).text();
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    const auto shown = quote(key);
    leave_out(path + (path.empty() ? "" : ".") + shown.substr(1, shown.size() - 2), "no counterpart");
  }
}

std::optional<Node> require(const Node& map, std::string_view key, std::string_view what, Reading& reading) {
  if (!map.is_map()) {
    reading.fail(map, fmt::format("{} is {}, expected a map", what, map.describe()));
    return std::nullopt;
  }
  auto value = map.find(key);
  if (!value) reading.fail(map, fmt::format("{} has no key '{}'", what, key));
  return value;
}

std::vector<std::string> read_words(const Node& node, std::string_view what, Reading& reading) {
  std::vector<std::string> words;
  if (node.is_scalar()) return {read_text(node, what, reading)};
  for (const Node& item : read_list(node, what, 0, most_words, reading))
    words.push_back(read_text(item, what, reading));
  return words;
}

bool is_true(const std::optional<Node>& node) {
  return node && (node->text() == "true" || node->text() == "True" || node->text() == "TRUE");
}

}  // namespace nestor::io::neighbours

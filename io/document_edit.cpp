#include "io/document_edit.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/parse_number.h"
#include "io/document_builder.h"
#include "io/find_data.h"

namespace nestor::io {
namespace detail {

class TreeEditor {
 public:
  explicit TreeEditor(Document& document) : tree_(*document.tree_) {}

  MaybeError set(const std::string& setting) {
    const auto equals = setting.find('=');
    if (equals == std::string::npos || equals == 0)
      return usage_error(fmt::format("--set: expected PATH=VALUE, found {}", quote(setting)));
    path_ = std::string_view(setting).substr(0, equals);
    if (tree_.settings.size() >= std::numeric_limits<std::uint16_t>::max())
      return usage_error("--set: too many settings");
    tree_.settings.push_back(fmt::format("--set {}", quote(setting)));
    const auto value = Document::parse(std::string_view(setting).substr(equals + 1), "--set");
    if (!value) return wrong("the value is neither YAML nor JSON");
    const auto target = find_target();
    if (!target) return target.error();
    graft(*target, *value->tree_);
    return std::nullopt;
  }

 private:
  const TreeNode& node(std::uint32_t index) const { return tree_.nodes[index]; }
  std::uint32_t child(std::uint32_t parent, std::size_t i) const {
    return tree_.children[node(parent).begin + i];
  }
  std::string_view text(std::uint32_t index) const { return tree_.text(node(index)); }
  std::uint16_t setting() const { return static_cast<std::uint16_t>(tree_.settings.size()); }
  bool is(std::uint32_t index, NodeKind kind) const { return node(index).kind == kind; }

  Error wrong(const std::string& message) const {
    return usage_error(tree_.settings.back() + ": " + message);
  }

  std::optional<std::uint32_t> find_key(std::uint32_t map, std::string_view key) const {
    if (!is(map, NodeKind::map)) return std::nullopt;
    for (std::size_t i = 0; i < node(map).size; i += 2)
      if (text(child(map, i)) == key) return child(map, i + 1);
    return std::nullopt;
  }

  /// Returns the `name` of a map; empty if it has none.
  std::string_view name_of(std::uint32_t index) const {
    const auto name = find_key(index, "name");
    return name ? text(*name) : std::string_view();
  }

  /// Returns the index of the longest of `words` at the start of `rest` that is followed by a dot or by the
  /// end of `rest`. Words may contain dots.
  static std::optional<std::size_t> find_word(std::string_view rest,
                                              const std::vector<std::string_view>& words) {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const auto word = words[i];
      const bool whole = rest.starts_with(word) && (rest.size() == word.size() || rest[word.size()] == '.');
      if (whole && !word.empty() && (!best || words[*best].size() < word.size())) best = i;
    }
    return best;
  }

  static std::string_view first_word(std::string_view rest) { return rest.substr(0, rest.find('.')); }
  static std::string_view behind(std::string_view rest, std::string_view word) {
    return rest.size() > word.size() ? rest.substr(word.size() + 1) : std::string_view();
  }

  /// Returns the node that receives the value.
  Result<std::uint32_t> find_target() {
    if (path_.back() == '.' || path_.front() == '.' || path_.find("..") != std::string_view::npos)
      return wrong("the path has an empty word");
    if (!is(0, NodeKind::map)) return wrong("the file is not a map");
    std::uint32_t at = 0;
    auto rest = path_;
    if (const auto hierarchy = find_key(0, "hierarchy"); hierarchy && is(*hierarchy, NodeKind::list))
      if (const auto error = enter_hierarchy(*hierarchy, at, rest)) return *error;
    while (!rest.empty()) {
      const auto next = is(at, NodeKind::list)  ? find_item(at, rest)
                        : is(at, NodeKind::map) ? find_entry(at, rest)
                                                : Result<std::uint32_t>(not_a_map(rest));
      if (!next) return next;
      at = *next;
    }
    return only_value(at);
  }

  /// Resolves `memory.NAME` and `axis.NAME`. In the file, a memory is a list item {memory: {name: NAME,
  /// ...}}, and an axis is a list item {spatial: {name: NAME, ...}}.
  MaybeError enter_hierarchy(std::uint32_t hierarchy, std::uint32_t& at, std::string_view& rest) const {
    const auto word = first_word(rest);
    const bool memories = word == "memory";
    if (!memories && word != "axis" && word != "spatial") {
      const auto near = suggestion(word, {"memory", "axis"});
      if (near.empty() || find_key(0, word)) return std::nullopt;
      return wrong(fmt::format("unknown word {}{}", quote(word), near));
    }
    std::vector<std::uint32_t> items;
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < node(hierarchy).size; ++i) {
      const auto item = find_key(child(hierarchy, i), memories ? "memory" : "spatial");
      if (!item || name_of(*item).empty()) continue;
      items.push_back(*item);
      names.push_back(name_of(*item));
    }
    rest = behind(rest, word);
    const auto found = find_word(rest, names);
    if (!found) return unknown(memories ? "memory" : "spatial axis", first_word(rest), names);
    at = items[*found];
    rest = behind(rest, names[*found]);
    if (rest.empty())
      return wrong(fmt::format("the path ends at {}, expected a key of it", quote(names[*found])));
    return std::nullopt;
  }

  Error unknown(std::string_view what, std::string_view word,
                const std::vector<std::string_view>& words) const {
    return wrong(fmt::format("no {} {}{}, expected {}", what, quote(word), suggestion(word, words),
                             words.empty() ? "none" : fmt::format("{}", fmt::join(words, ", "))));
  }
  Error not_a_map(std::string_view rest) const {
    return wrong(
        fmt::format("{} is inside a single value, expected a map or a list", quote(first_word(rest))));
  }

  Result<std::uint32_t> find_item(std::uint32_t list, std::string_view& rest) const {
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < node(list).size; ++i) names.push_back(name_of(child(list, i)));
    if (const auto found = find_word(rest, names)) {
      rest = behind(rest, names[*found]);
      return child(list, *found);
    }
    const auto word = first_word(rest);
    const auto number = parse_number<std::uint32_t>(word);
    if (number && *number < node(list).size) {
      rest = behind(rest, word);
      return child(list, *number);
    }
    std::erase(names, "");
    if (!names.empty()) return unknown("item", word, names);
    return wrong(fmt::format("no item {}, expected a number below {}", quote(word), node(list).size));
  }

  /// Consumes the key at the start of `rest` and returns the node of its value. A missing key is added; its
  /// value is empty or, if the path continues, an empty map.
  Result<std::uint32_t> find_entry(std::uint32_t map, std::string_view& rest) {
    std::vector<std::string_view> keys;
    for (std::size_t i = 0; i < node(map).size; i += 2) keys.push_back(text(child(map, i)));
    if (const auto found = find_word(rest, keys)) {
      rest = behind(rest, keys[*found]);
      return child(map, 2 * *found + 1);
    }
    const auto word = first_word(rest);
    rest = behind(rest, word);
    return add_entry(map, word, rest.empty() ? NodeKind::nothing : NodeKind::map);
  }

  std::uint32_t add_entry(std::uint32_t map, std::string_view key, NodeKind kind) {
    const auto first = static_cast<std::uint32_t>(tree_.nodes.size());
    const auto begin = static_cast<std::uint32_t>(tree_.texts.size());
    tree_.texts += key;
    tree_.nodes.push_back({.begin = begin,
                           .size = static_cast<std::uint32_t>(key.size()),
                           .kind = NodeKind::scalar,
                           .setting = setting()});
    tree_.nodes.push_back({.kind = kind, .setting = setting()});
    const auto entries = static_cast<std::uint32_t>(tree_.children.size());
    for (std::size_t i = 0; i < node(map).size; ++i) tree_.children.push_back(child(map, i));
    tree_.children.insert(tree_.children.end(), {first, first + 1});
    tree_.nodes[map].begin = entries;
    tree_.nodes[map].size += 2;
    return first + 1;
  }

  /// If the node is a named item with only one other key, as in {name: dpu, size: 64}, returns the value of
  /// this key; otherwise returns `at`.
  std::uint32_t only_value(std::uint32_t at) const {
    if (!is(at, NodeKind::map) || node(at).size != 4 || name_of(at).empty()) return at;
    return text(child(at, 0)) == "name" ? child(at, 3) : child(at, 1);
  }

  /// Appends a copy of `value` to the tree and replaces the node `target` with the root of the copy.
  void graft(std::uint32_t target, const DocumentTree& value) {
    const auto nodes = static_cast<std::uint32_t>(tree_.nodes.size());
    const auto children = static_cast<std::uint32_t>(tree_.children.size());
    const auto texts = static_cast<std::uint32_t>(tree_.texts.size());
    tree_.texts += value.texts;
    for (const auto index : value.children) tree_.children.push_back(nodes + index);
    for (TreeNode copy : value.nodes) {
      copy.begin += copy.kind == NodeKind::scalar ? texts : children;
      copy.setting = setting();
      tree_.nodes.push_back(copy);
    }
    tree_.nodes[target] = tree_.nodes[nodes];
  }

  DocumentTree& tree_;
  std::string_view path_;
};

}  // namespace detail

MaybeError set_values(Document& document, std::span<const std::string> settings) {
  detail::TreeEditor editor(document);
  for (const auto& setting : settings)
    if (auto error = editor.set(setting)) return error;
  return std::nullopt;
}

Result<Document> read_machine_document(const std::string& path_or_name,
                                       std::span<const std::string> settings) {
  const auto path = find_data(DataKind::architecture, path_or_name);
  if (!path) return path.error();
  auto document = Document::read(path->string(), {.foreign = true});
  if (!document) return document;
  if (auto error = set_values(*document, settings)) return *error;
  return document;
}

Error blame_settings(Error error, std::span<const std::string> settings) {
  if (error.where.file.starts_with("--set "))
    error.kind = ErrorKind::usage;
  else if (!settings.empty())
    error.message += fmt::format(" (with --set {})", fmt::join(settings, " --set "));
  return error;
}

}  // namespace nestor::io

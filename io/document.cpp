#include "io/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

#include "io/document_builder.h"
#include "io/files.h"
#include "io/printable.h"

namespace nestor::io {
namespace detail {

Position position_at(std::string_view text, std::size_t offset) {
  offset = std::min(offset, text.size());
  Position where;
  std::size_t line_start = 0;
  for (std::size_t i = 0; i < offset; ++i)
    if (text[i] == '\n') {
      ++where.line;
      line_start = i + 1;
    }
  for (std::size_t i = line_start; i < offset; ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U) ++where.column;
  return where;
}

void refuse_bad_bytes(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto value = static_cast<unsigned char>(text[i]);
    const auto length = utf8_length(text, i);
    if (length == 0)
      throw DocumentError{position_at(text, i),
                          fmt::format("byte 0x{:02x} is not valid UTF-8, expected a UTF-8 text file", value)};
    if (value < 0x20 && value != '\t' && value != '\n' && value != '\r')
      throw DocumentError{position_at(text, i),
                          fmt::format("control character 0x{:02x}, expected a text file", value)};
    i += length;
  }
}

std::uint32_t TreeBuilder::add(Position where, NodeKind kind) {
  if (tree_.nodes.size() >= limits_.nodes)
    throw DocumentError{where, fmt::format("more than {} values in one file", limits_.nodes)};
  const auto index = static_cast<std::uint32_t>(tree_.nodes.size());
  if (!open_.empty()) {
    auto& parent = open_.back();
    const bool is_key = tree_.nodes[parent.node].kind == NodeKind::map && parent.children.size() % 2 == 0;
    if (is_key && kind != NodeKind::scalar) throw DocumentError{where, "a key of a map must be text"};
    parent.children.push_back(index);
  }
  tree_.nodes.push_back({where.line, where.column, 0, 0, kind, false});
  return index;
}

void TreeBuilder::scalar(Position where, std::string_view text, bool is_quoted) {
  const auto index = add(where, NodeKind::scalar);
  auto& node = tree_.nodes[index];
  node.begin = static_cast<std::uint32_t>(tree_.texts.size());
  node.size = static_cast<std::uint32_t>(text.size());
  node.quoted = is_quoted;
  tree_.texts += text;
}

void TreeBuilder::nothing(Position where) { add(where, NodeKind::nothing); }

void TreeBuilder::start(Position where, NodeKind kind) {
  if (open_.size() >= limits_.depth)
    throw DocumentError{where, fmt::format("nested deeper than {} levels", limits_.depth)};
  const auto index = add(where, kind);
  open_.push_back({index, {}});
}

void TreeBuilder::tag(Position where, std::string_view tag) {
  auto& tags = tree_.tags;
  auto found = std::find(tags.begin(), tags.end(), tag);
  if (found == tags.end()) {
    if (tags.size() == std::numeric_limits<std::uint8_t>::max())
      throw DocumentError{where, fmt::format("more than {} different tags in one file", tags.size())};
    found = tags.insert(tags.end(), std::string(tag));
  }
  tree_.nodes[open_.back().node].tag = static_cast<std::uint8_t>(found - tags.begin() + 1);
}

void TreeBuilder::end() {
  auto closed = std::move(open_.back());
  open_.pop_back();
  if (tree_.nodes[closed.node].kind == NodeKind::map) {
    refuse_duplicate_keys(closed.children);
    if (limits_.foreign) merge(closed.children);
  }
  auto& node = tree_.nodes[closed.node];
  node.begin = static_cast<std::uint32_t>(tree_.children.size());
  node.size = static_cast<std::uint32_t>(closed.children.size());
  tree_.children.insert(tree_.children.end(), closed.children.begin(), closed.children.end());
}

void TreeBuilder::refuse_duplicate_keys(const std::vector<std::uint32_t>& entries) const {
  const auto text_of = [&](std::uint32_t node) { return tree_.text(tree_.nodes[node]); };
  std::vector<std::uint32_t> keys;
  for (std::size_t i = 0; i < entries.size(); i += 2) keys.push_back(entries[i]);
  std::stable_sort(keys.begin(), keys.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return text_of(a) < text_of(b); });
  const auto same = [&](std::uint32_t a, std::uint32_t b) { return text_of(a) == text_of(b); };
  const auto pair = std::adjacent_find(keys.begin(), keys.end(), same);
  if (pair == keys.end()) return;
  const auto& first = tree_.nodes[*pair];
  const auto& second = tree_.nodes[*(pair + 1)];
  throw DocumentError{{second.line, second.column},
                      fmt::format("key {} is already given at line {}, column {}", quote(text_of(*pair)),
                                  first.line, first.column)};
}

void TreeBuilder::copy(Position where, std::uint32_t from) {
  const auto is_open = [&](const Open& open) { return open.node == from; };
  if (std::any_of(open_.begin(), open_.end(), is_open))
    throw DocumentError{where, "an alias of a value that contains it"};
  const TreeNode node = tree_.nodes[from];
  const Position origin{node.line, node.column};
  if (node.kind != NodeKind::list && node.kind != NodeKind::map) {
    auto& scalar = tree_.nodes[add(origin, node.kind)];
    scalar.begin = node.begin;
    scalar.size = node.size;
    scalar.quoted = node.quoted;
    return;
  }
  start(origin, node.kind);
  tree_.nodes[open_.back().node].tag = node.tag;
  for (const auto child : children_of(node)) copy(where, child);
  end();
}

std::vector<std::uint32_t> TreeBuilder::children_of(const TreeNode& node) const {
  const auto begin = tree_.children.begin() + node.begin;
  return {begin, begin + node.size};
}

// Adds those entries of the map `from` whose keys are not in `entries`. With `deep`, two maps under the same
// key are merged in the same way.
void TreeBuilder::merge_from(std::uint32_t from, bool deep, std::vector<std::uint32_t>& entries) {
  const auto others = children_of(tree_.nodes[from]);
  const auto own = entries.size();
  std::map<std::string_view, std::uint32_t> values;
  for (std::size_t i = 0; i < own; i += 2)
    values.emplace(tree_.text(tree_.nodes[entries[i]]), entries[i + 1]);
  for (std::size_t i = 0; i < others.size(); i += 2) {
    const auto found = values.find(tree_.text(tree_.nodes[others[i]]));
    if (found == values.end()) {
      entries.insert(entries.end(), {others[i], others[i + 1]});
    } else if (deep && tree_.nodes[found->second].kind == NodeKind::map &&
               tree_.nodes[others[i + 1]].kind == NodeKind::map) {
      auto nested = children_of(tree_.nodes[found->second]);
      merge_from(others[i + 1], deep, nested);
      auto& node = tree_.nodes[found->second];
      node.begin = static_cast<std::uint32_t>(tree_.children.size());
      node.size = static_cast<std::uint32_t>(nested.size());
      tree_.children.insert(tree_.children.end(), nested.begin(), nested.end());
    }
  }
}

// Replaces the entries `<<` and `<<<` with the entries of the maps that they name. Among entries with equal
// keys, the map's own entry takes precedence, then that of the first named map.
void TreeBuilder::merge(std::vector<std::uint32_t>& entries) {
  std::vector<std::uint32_t> own, merges;
  for (std::size_t i = 0; i < entries.size(); i += 2) {
    const auto& key = tree_.nodes[entries[i]];
    const bool is_merge = !key.quoted && (tree_.text(key) == "<<" || tree_.text(key) == "<<<");
    auto& to = is_merge ? merges : own;
    to.insert(to.end(), {entries[i], entries[i + 1]});
  }
  for (std::size_t i = 0; i < merges.size(); i += 2) {
    const auto& key = tree_.nodes[merges[i]];
    const bool deep = key.size > 2;
    const auto& value = tree_.nodes[merges[i + 1]];
    const auto maps = value.kind == NodeKind::list ? children_of(value) : std::vector{merges[i + 1]};
    constexpr std::size_t most = 16;  // each merge takes time proportional to the existing entries
    if (maps.size() > most)
      throw DocumentError{{value.line, value.column}, fmt::format("more than {} maps to merge", most)};
    for (const auto map : maps) {
      if (tree_.nodes[map].kind != NodeKind::map)
        throw DocumentError{{value.line, value.column},
                            fmt::format("{} merges maps, expected a map or a list of maps", tree_.text(key))};
      merge_from(map, deep, own);
    }
  }
  entries = std::move(own);
}

DocumentTree TreeBuilder::take_head() {
  while (!open_.empty()) {
    auto& innermost = open_.back();
    auto& node = tree_.nodes[innermost.node];
    if (node.kind == NodeKind::map && innermost.children.size() % 2 == 1) innermost.children.pop_back();
    node.begin = static_cast<std::uint32_t>(tree_.children.size());
    node.size = static_cast<std::uint32_t>(innermost.children.size());
    tree_.children.insert(tree_.children.end(), innermost.children.begin(), innermost.children.end());
    open_.pop_back();
  }
  return take();
}

DocumentTree TreeBuilder::take() {
  if (tree_.nodes.empty()) nothing({});
  return std::move(tree_);
}

}  // namespace detail

namespace {

using detail::DocumentError;
using detail::TreeBuilder;

bool looks_like_json(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && (text[first] == '{' || text[first] == '[');
}

detail::DocumentTree parse_tree(std::string_view text, const std::string& file,
                                const DocumentLimits& limits) {
  if (text.size() > limits.bytes)
    throw DocumentError{{1, 1}, fmt::format("larger than {} bytes", limits.bytes)};
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  detail::refuse_bad_bytes(text);
  const bool named_json = std::string_view(file).ends_with(".json");
  if (named_json || looks_like_json(text)) {
    TreeBuilder builder(file, limits);
    try {
      detail::parse_json_events(text, builder);
      return builder.take();
    } catch (const detail::JsonSyntaxError& error) {
      // {a: 1} starts like JSON but is YAML.
      if (named_json || text.size() > limits.yaml_bytes) throw DocumentError{error.where, error.message};
    }
  }
  if (text.size() > limits.yaml_bytes)
    throw DocumentError{
        {1, 1}, fmt::format("larger than {} bytes, expected JSON or a smaller file", limits.yaml_bytes)};
  TreeBuilder builder(file, limits);
  if (limits.foreign && detail::is_template(text))
    detail::parse_yaml_events(detail::expand_template(text, file, limits.yaml_bytes), builder);
  else
    detail::parse_yaml_events(text, builder);
  return builder.take();
}

Error located(const std::string& file, const DocumentError& error) {
  return input_error({file, static_cast<int>(error.where.line), static_cast<int>(error.where.column)},
                     error.message);
}

}  // namespace

Document::Document(std::unique_ptr<detail::DocumentTree> tree) : tree_(std::move(tree)) {}
Document::Document(Document&&) noexcept = default;
Document& Document::operator=(Document&&) noexcept = default;
Document::~Document() = default;
const std::string& Document::file() const { return tree_->file; }

Result<Document> Document::parse(std::string_view text, const std::string& file,
                                 const DocumentLimits& limits) {
  try {
    auto tree = parse_tree(text, file, limits);
    return Document(std::make_unique<detail::DocumentTree>(std::move(tree)));
  } catch (const DocumentError& error) {
    return located(file, error);
  } catch (const std::exception& error) {  // any other exception of a parser library
    return input_error({file}, fmt::format("cannot be parsed: {}", error.what()));
  }
}

Result<Document> Document::read(const std::string& path, const DocumentLimits& limits) {
  const auto text = read_file(path, limits.bytes);
  if (!text) return text.error();
  return parse(*text, path, limits);
}

Document Document::head(std::string_view text, const std::string& file) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  text = text.substr(0, head_bytes);
  detail::Expanded expanded;
  if (detail::is_template(text)) {
    try {
      expanded = detail::expand_template(text, file, head_bytes);
      text = expanded.text;
    } catch (const DocumentError&) {  // NOLINT(bugprone-empty-catch): it is read as it is
    }
  }
  const auto read = [&](void (*parse)(std::string_view, TreeBuilder&)) {
    TreeBuilder builder(file, {.nodes = 2 * head_bytes, .foreign = true});
    try {
      parse(text, builder);
    } catch (...) {  // NOLINT(bugprone-empty-catch): wherever it ends, what came before counts
    }
    return Document(std::make_unique<detail::DocumentTree>(builder.take_head()));
  };
  if (looks_like_json(text)) {
    auto json = read(detail::parse_json_events);
    if (json.root().size() > 0) return json;
  }
  return read(detail::parse_yaml_events);
}

NodeKind Node::kind() const { return tree_->nodes[index_].kind; }

std::string_view Node::text() const { return is_scalar() ? tree_->text(tree_->nodes[index_]) : ""; }

std::string_view Node::tag() const {
  const auto place = tree_->nodes[index_].tag;
  return place == 0 ? std::string_view() : std::string_view(tree_->tags[place - 1U]);
}

bool Node::is_quoted() const { return tree_->nodes[index_].quoted; }

std::size_t Node::size() const {
  const auto& node = tree_->nodes[index_];
  if (node.kind == NodeKind::list) return node.size;
  return node.kind == NodeKind::map ? node.size / 2 : 0;
}

Node Node::item(std::size_t i) const { return {tree_, tree_->children[tree_->nodes[index_].begin + i]}; }
Node Node::key(std::size_t i) const { return item(2 * i); }
Node Node::value(std::size_t i) const { return item(2 * i + 1); }

std::optional<Node> Node::find(std::string_view wanted) const {
  if (!is_map()) return std::nullopt;
  for (std::size_t i = 0; i < size(); ++i)
    if (key(i).text() == wanted) return value(i);
  return std::nullopt;
}

SourceLocation Node::where() const {
  const auto& node = tree_->nodes[index_];
  if (node.setting > 0) return {tree_->settings[node.setting - 1U]};
  return {tree_->file, static_cast<int>(node.line), static_cast<int>(node.column)};
}

std::string Node::describe() const {
  switch (kind()) {
    case NodeKind::nothing:
      return "nothing";
    case NodeKind::list:
      return "a list";
    case NodeKind::map:
      return "a map";
    case NodeKind::scalar:
      break;
  }
  if (is_quoted()) return "the text " + quote(text());
  const bool is_number = text().size() <= 30 && !text().empty() &&
                         text().find_first_not_of("0123456789+-.eE") == std::string_view::npos;
  return is_number ? std::string(text()) : quote(text());
}

std::string quote(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::string shown = "'";
  std::size_t i = 0;
  while (i < text.size() && i < longest) {
    const auto value = static_cast<unsigned char>(text[i]);
    const auto length = std::max<std::size_t>(1, utf8_length(text, i));
    if (value < 0x20 || value == 0x7f)
      shown += fmt::format("\\x{:02x}", value);
    else
      shown += text.substr(i, length);
    i += length;
  }
  return shown + (i < text.size() ? "...'" : "'");
}

}  // namespace nestor::io

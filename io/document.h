// One tree for YAML and JSON inputs, with the line and column of every node, so that the reader of a format
// can say exactly where something is wrong. JSON goes through nlohmann's parser and everything else through
// yaml-cpp's; both feed the same builder. All input is untrusted: size, depth and node count are limited,
// anchors, aliases and tags are refused except in files of other tools, duplicate keys are an error, and no
// exception leaves parse().
// checked_reader.h holds the typed accessors that the formats are written with.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/error.h"

namespace nestor::io {

struct DocumentLimits {
  std::size_t bytes = std::size_t{64} << 20;
  /// Smaller for YAML: yaml-cpp takes a second for two megabytes, and can queue some 130 bytes of tokens per
  /// byte before we see the first event.
  std::size_t yaml_bytes = std::size_t{2} << 20;
  std::size_t depth = 64;
  std::size_t nodes = std::size_t{4} << 20;
  /// The file may be one of another tool: maps may have tags of its own (`!Memory {...}`), which MapReader
  /// refuses, and anchors, aliases and merge keys (`<<`, and `<<<` for maps within maps) are expanded.
  bool foreign = false;
};

/// Enough for the keys that say what a file is; results are written with these first.
inline constexpr std::size_t head_bytes = std::size_t{64} << 10;

enum class NodeKind : std::uint8_t { nothing, scalar, list, map };

namespace detail {
struct DocumentTree;
class TreeBuilder;
class TreeEditor;
}  // namespace detail

/// A place in a Document: cheap to copy, valid as long as the Document lives.
class Node {
 public:
  NodeKind kind() const;
  bool is_map() const { return kind() == NodeKind::map; }
  bool is_list() const { return kind() == NodeKind::list; }
  bool is_scalar() const { return kind() == NodeKind::scalar; }

  /// A scalar's text, escapes resolved; empty for everything else.
  std::string_view text() const;
  /// A map's tag, "!Memory"; mostly empty.
  std::string_view tag() const;
  /// Was the scalar in quotes (and is therefore text even if it looks like a number)?
  bool is_quoted() const;

  /// Items of a list or entries of a map.
  std::size_t size() const;
  Node item(std::size_t i) const;   ///< of a list
  Node key(std::size_t i) const;    ///< of a map, in the order of the file; always a scalar
  Node value(std::size_t i) const;  ///< of a map
  std::optional<Node> find(std::string_view key) const;

  SourceLocation where() const;
  /// What a person would call it: "a list", "nothing", "12", "'12x'".
  std::string describe() const;

 private:
  friend class Document;
  Node(const detail::DocumentTree* tree, std::uint32_t index) : tree_(tree), index_(index) {}
  const detail::DocumentTree* tree_;
  std::uint32_t index_;
};

class Document {
 public:
  /// `file` is only a name for messages; a name ending in .json makes YAML an error.
  static Result<Document> parse(std::string_view text, const std::string& file,
                                const DocumentLimits& limits = {});
  /// Reads the file and parses it.
  static Result<Document> read(const std::string& path, const DocumentLimits& limits = {});
  /// What can be read of the first `head_bytes` before the first fault, to see what a file is before it
  /// is read in earnest. Never fails; a text that is no document gives a root without keys.
  static Document head(std::string_view text, const std::string& file);

  Document(Document&&) noexcept;
  Document& operator=(Document&&) noexcept;
  ~Document();

  Node root() const { return {tree_.get(), 0}; }
  const std::string& file() const;

 private:
  friend class detail::TreeEditor;
  explicit Document(std::unique_ptr<detail::DocumentTree> tree);
  std::unique_ptr<detail::DocumentTree> tree_;
};

/// Text from an input made safe for one line of a message: shortened, control characters shown as escapes, in
/// single quotes.
std::string quote(std::string_view text);

}  // namespace nestor::io

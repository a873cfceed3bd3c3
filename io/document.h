// Common tree for YAML and JSON inputs with the line and column of every node, so that readers can report
// exact positions. nlohmann's parser reads JSON and yaml-cpp everything else; both use the same builder. All
// input is untrusted. Size, depth and node count are limited, duplicate keys are an error, and no exception
// leaves parse(). Anchors, aliases and tags are rejected except in files of other tools. checked_reader.h
// provides typed access to the values.
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
  /// A stricter size limit for YAML, because yaml-cpp needs a second for two megabytes. It can also queue
  /// about 130 bytes of tokens per input byte before the first event.
  std::size_t yaml_bytes = std::size_t{2} << 20;
  std::size_t depth = 64;
  std::size_t nodes = std::size_t{4} << 20;
  /// True if the file may belong to another tool. Maps may then have tags (`!Memory {...}`), which MapReader
  /// rejects. Anchors, aliases, merge keys (`<<`, and `<<<` for nested maps) and templates
  /// (document_template.cpp) are expanded.
  bool foreign = false;
};

/// Number of bytes at the start of a file that determine its kind. Result files begin with the identifying
/// keys.
inline constexpr std::size_t head_bytes = std::size_t{64} << 10;

enum class NodeKind : std::uint8_t { nothing, scalar, list, map };

namespace detail {
struct DocumentTree;
class TreeBuilder;
class TreeEditor;
}  // namespace detail

/// A reference to a node of a Document: cheap to copy, and valid during the lifetime of the Document.
class Node {
 public:
  NodeKind kind() const;
  bool is_map() const { return kind() == NodeKind::map; }
  bool is_list() const { return kind() == NodeKind::list; }
  bool is_scalar() const { return kind() == NodeKind::scalar; }

  /// Returns a scalar's text with escapes resolved; empty for other nodes.
  std::string_view text() const;
  /// Returns a map's tag, such as "!Memory"; empty if there is none.
  std::string_view tag() const;
  /// True if the scalar is quoted, so that it is text even if it looks like a number.
  bool is_quoted() const;

  /// Returns the number of items of a list or entries of a map; 0 for other nodes.
  std::size_t size() const;
  Node item(std::size_t i) const;   ///< for lists
  Node key(std::size_t i) const;    ///< for maps, in the order of the file; always a scalar
  Node value(std::size_t i) const;  ///< for maps
  std::optional<Node> find(std::string_view key) const;

  SourceLocation where() const;
  /// Describes the node for messages: "a list", "nothing", "12", "'12x'".
  std::string describe() const;

 private:
  friend class Document;
  Node(const detail::DocumentTree* tree, std::uint32_t index) : tree_(tree), index_(index) {}
  const detail::DocumentTree* tree_;
  std::uint32_t index_;
};

class Document {
 public:
  /// Parses `text`. `file` is only a name for messages; if it ends in .json, YAML is an error.
  static Result<Document> parse(std::string_view text, const std::string& file,
                                const DocumentLimits& limits = {});
  /// Reads the file and parses it.
  static Result<Document> read(const std::string& path, const DocumentLimits& limits = {});
  /// Parses the first `head_bytes` bytes up to the first error, to identify a file before it is read in full.
  /// Never fails; if the text is not a document, the root has no keys.
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

/// Quotes input text for one line of a message: shortens long text and replaces control characters with
/// escapes.
std::string quote(std::string_view text);

}  // namespace nestor::io

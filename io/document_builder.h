// The tree in which a Document stores its nodes, and the builder of this tree. The tree consists of three
// flat arrays: the nodes, the child lists of the containers, and the text of all scalars. The builder
// receives parser events and enforces the limits. A violation is thrown as a DocumentError and caught in
// Document::parse. Private to io.
#pragma once

#include "io/document.h"

namespace nestor::io::detail {

struct TreeNode {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  std::uint32_t begin = 0;  ///< index into `texts` for a scalar, into `children` for a container
  std::uint32_t size = 0;   ///< bytes of the scalar, or number of children (two per entry of a map)
  NodeKind kind = NodeKind::nothing;
  bool quoted = false;
  std::uint16_t setting = 0;  ///< 1 + index of the setting that added the node (document_edit.h), or 0
  std::uint8_t tag = 0;       ///< 1 + index in `tags`, or 0 if the node has no tag
};

struct DocumentTree {
  std::string file;
  std::vector<TreeNode> nodes;  ///< the root is node 0
  std::vector<std::uint32_t> children;
  std::string texts;
  std::vector<std::string> settings;  ///< names for messages
  std::vector<std::string> tags;

  std::string_view text(const TreeNode& node) const {
    return std::string_view(texts).substr(node.begin, node.size);
  }
};

struct Position {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
};

/// Exception that stops a parser; Document::parse catches it.
struct DocumentError {
  Position where;
  std::string message;
};

class TreeBuilder {
 public:
  TreeBuilder(const std::string& file, const DocumentLimits& limits) : limits_(limits) { tree_.file = file; }

  bool is_foreign() const { return limits_.foreign; }
  void scalar(Position where, std::string_view text, bool is_quoted);
  void nothing(Position where);
  void start(Position where, NodeKind kind);
  /// Sets the tag of the map that was started last.
  void tag(Position where, std::string_view tag);
  void end();
  /// Returns the index that the next node will have. It can later be passed to copy().
  std::uint32_t next() const { return static_cast<std::uint32_t>(tree_.nodes.size()); }
  /// Adds a copy of a node for a YAML alias. A copied scalar shares the text of the original. The copies
  /// count towards the limits.
  void copy(Position where, std::uint32_t node);
  /// Returns the tree. A tree without nodes gets one `nothing` as its root.
  DocumentTree take();
  /// Returns the tree of a document that ended too early. Open containers are closed; a key without a value
  /// is dropped.
  DocumentTree take_head();

 private:
  std::uint32_t add(Position where, NodeKind kind);
  void refuse_duplicate_keys(const std::vector<std::uint32_t>& entries) const;
  void merge(std::vector<std::uint32_t>& entries);
  void merge_from(std::uint32_t node, bool deep, std::vector<std::uint32_t>& entries);
  std::vector<std::uint32_t> children_of(const TreeNode& node) const;

  struct Open {
    std::uint32_t node;
    std::vector<std::uint32_t> children;
  };
  DocumentLimits limits_;
  DocumentTree tree_;
  std::vector<Open> open_;
};

/// Exception that parse_json_events throws for text that is not JSON. For violated limits, it throws a
/// DocumentError instead.
struct JsonSyntaxError {
  Position where;
  std::string message;
};

/// The text of an expanded template.
struct Expanded {
  struct Addition {
    Position begin, end;  ///< in the expanded text
    Position tag;         ///< position in the template of the tag that adds it
  };
  std::string text;
  std::vector<Addition> added;  ///< included files, and passes of loops after the first, in order

  /// Converts a position in the expanded text to the corresponding position in the template.
  Position origin(Position where) const;
};

/// Parse the text and pass its events to `builder`. Exceptions of the builder propagate.
void parse_json_events(std::string_view text, TreeBuilder& builder);
void parse_yaml_events(std::string_view text, TreeBuilder& builder);
void parse_yaml_events(const Expanded& expanded, TreeBuilder& builder);

/// `is_template` is true if the text contains `{{` or `{%`, as Jinja templates do. `expand_template` expands
/// the supported tags (document_template.cpp). It throws a DocumentError for other template syntax, and if
/// the result is larger than `most_bytes`.
bool is_template(std::string_view text);
Expanded expand_template(std::string_view text, const std::string& file, std::size_t most_bytes);

/// Throws if the text is not UTF-8 or has control characters other than tabs and line breaks.
void refuse_bad_bytes(std::string_view text);

/// Returns the position of a byte offset; columns count characters, not bytes.
Position position_at(std::string_view text, std::size_t offset);

}  // namespace nestor::io::detail

// Storage and construction of a Document (private to the io room). The tree is three flat arrays: nodes, the
// child lists of the containers, and all scalar text back to back. The builder receives parser events and
// enforces the limits; a violated limit is thrown as DocumentError and caught in Document::parse.
#pragma once

#include "io/document.h"

namespace nestor::io::detail {

struct TreeNode {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  std::uint32_t begin = 0;  ///< into `texts` for a scalar, into `children` for a container
  std::uint32_t size = 0;   ///< bytes of the scalar, or children (a map has key, value, key, value, ...)
  NodeKind kind = NodeKind::nothing;
  bool quoted = false;
  std::uint16_t setting = 0;  ///< 1 + the setting (document_edit.h) that it comes from; 0: the file
  std::uint8_t tag = 0;       ///< 1 + the place in `tags`; 0: none
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

/// Leaves a parser early; never leaves Document::parse.
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
  /// The map that was started last has this tag.
  void tag(Position where, std::string_view tag);
  void end();
  /// The index of the node that is added next, for copy().
  std::uint32_t next() const { return static_cast<std::uint32_t>(tree_.nodes.size()); }
  /// Adds a copy of a node, as an alias of YAML means it; scalars share their text. The copies count towards
  /// the limits.
  void copy(Position where, std::uint32_t node);
  /// A tree without nodes gets one `nothing` as its root.
  DocumentTree take();
  /// The same for a document that ended too early: what is open is closed, a key without a value is left out.
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

/// What parse_json_events throws for text that is not JSON; broken limits are DocumentError there too.
struct JsonSyntaxError {
  Position where;
  std::string message;
};

/// Feed `builder` from the text; what is wrong with it is thrown.
void parse_json_events(std::string_view text, TreeBuilder& builder);
void parse_yaml_events(std::string_view text, TreeBuilder& builder);

/// Whether a file of another tool is a template, and its text with `{% set %}` and `{{ }}` carried out
/// (document_template.cpp); what else a template may hold is thrown as DocumentError.
bool is_template(std::string_view text);
std::string expand_template(std::string_view text, std::size_t most_bytes);

/// Position of a byte offset; columns count characters, not bytes.
Position position_at(std::string_view text, std::size_t offset);

}  // namespace nestor::io::detail

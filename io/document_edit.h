// Changes of single values in a parsed document before a reader sees it: `--set PATH=VALUE` of every verb
// that takes a machine. The result is the same as for an edited file. Thus every value of a machine can be
// set, readers need no extra code, and values are checked like those of a file.
//
// PATH consists of keys separated by dots, from the root of the file. An item of a list is given by its
// `name`, or by its number from 0. In a hierarchy, `memory.NAME` and `axis.NAME` are the memories and spatial
// axes. A path that ends at a named item with one more key ("levels.dpu" of {name: dpu, size: 64}) refers to
// that key. VALUE is YAML or JSON.
#pragma once

#include <span>
#include <string>
#include <utility>

#include "io/document.h"

namespace nestor::io {

/// Applies each "PATH=VALUE" in order. Missing keys are added, and the reader checks them later. On a usage
/// error, the document may be partly changed.
MaybeError set_values(Document& document, std::span<const std::string> settings);

/// Reads a machine's file or a built-in machine, and sets values.
Result<Document> read_machine_document(const std::string& path_or_name,
                                       std::span<const std::string> settings);

/// Turns the error of a machine's reader into a usage error if its position is one of `settings`.
Error blame_settings(Error error, std::span<const std::string> settings);

/// Reads a machine's file with `read_node` (const Node&, Reading&) after setting values.
template <typename ReadNode>
auto read_machine_file(const std::string& path_or_name, std::span<const std::string> settings,
                       ReadNode read_node) -> decltype(read_node(std::declval<const Node&>())) {
  const auto document = read_machine_document(path_or_name, settings);
  if (!document) return document.error();
  auto machine = read_node(document->root());
  if (!machine) return blame_settings(machine.error(), settings);
  return machine;
}

}  // namespace nestor::io

// Changes of single values in a parsed document, before a reader sees it: `--set PATH=VALUE` of every verb
// that takes a machine. What the reader sees is what it would see of an edited file, so every value of a
// machine can be set, no reader knows of it, and values are checked like those of a file.
//
// PATH is keys with dots between them, from the root of the file; an item of a list is its `name`, or its
// number from 0. In a hierarchy, `memory.NAME` and `axis.NAME` are the memories and spatial axes. A path that
// ends at a named item with one more key ("levels.dpu" of {name: dpu, size: 64}) is that key. VALUE is YAML
// or JSON.
#pragma once

#include <span>
#include <string>
#include <utility>

#include "io/document.h"

namespace nestor::io {

/// Applies each "PATH=VALUE" in order; a key that the file does not have is added for the reader to judge. On
/// error, a usage error, the document may be changed in part.
MaybeError set_values(Document& document, std::span<const std::string> settings);

/// A machine's file, or one that ships, with values set.
Result<Document> read_machine_document(const std::string& path_or_name,
                                       std::span<const std::string> settings);

/// The error of a reader of a machine with `settings`: one of usage if the place is a setting.
Error blame_settings(Error error, std::span<const std::string> settings);

/// A machine's file read by `read_node` (const Node&, Reading&) with values set.
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

// Editor that changes single values in a parsed document before a reader processes it. Every verb that
// accepts a machine offers this with `--set PATH=VALUE`. The result is the same as for an edited file. Thus
// every value of a machine can be set, readers need no extra code, and values are checked like those of a
// file.
//
// PATH consists of keys separated by dots, from the root of the file. An item of a list is identified by its
// `name`, or by its index from 0. In a hierarchy, `memory.NAME` and `axis.NAME` refer to a memory and a
// spatial axis. If a path ends at a named item with only one other key ("levels.dpu" of {name: dpu, size:
// 64}), it refers to that key. VALUE is YAML or JSON.
#pragma once

#include <span>
#include <string>
#include <utility>

#include "io/document.h"

namespace nestor::io {

/// Applies each "PATH=VALUE" in order. Missing keys are added, and the reader checks them later. On a usage
/// error, the document may be partly changed.
MaybeError set_values(Document& document, std::span<const std::string> settings);

/// Reads a machine's file or a built-in machine, and applies `settings`.
Result<Document> read_machine_document(const std::string& path_or_name,
                                       std::span<const std::string> settings);

/// Turns the error of a machine's reader into a usage error if its position is in one of `settings`.
/// Otherwise appends the settings to the message.
Error blame_settings(Error error, std::span<const std::string> settings);

/// Reads a machine's file or a built-in machine, applies `settings`, and passes the root of the document to
/// `read_node`, whose result it returns.
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

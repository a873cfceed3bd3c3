// Pictures of one mapped layer of a loop-nest space: its loops with the blocks of every operand, and its
// machine with the lanes in use and the memories' contents.
#pragma once

#include <string>

#include "report/html/figures.h"

namespace nestor::report::html {

struct MappedNest {
  const io::Json& machine;  ///< with its hierarchy
  const io::Json& mapping;
  const io::Json& sizes;  ///< bits of every "memory/operand", undoubled; may be null
  const io::Json& usage;  ///< bits in use of every memory; may be null
};

/// A mapping in one line: "core K 2 x P 2, row C 128; P 2, K 2, S 3".
std::string mapping_line(const io::Json& mapping);

std::string nest_picture(const MappedNest& nest);
std::string machine_picture(const MappedNest& nest);
/// Tiles of every operand, what is in use and how full that is.
std::string memory_table(const MappedNest& nest);

}  // namespace nestor::report::html

// Pictures of one mapped layer of a loop-nest space: its loops with the blocks of every operand, and its
// machine with the lanes in use and the memories' contents.
#pragma once

#include <string>

#include "report/html/figures.h"

namespace nestor::report::html {

struct MappedNest {
  const io::Json& machine;  ///< machine with its hierarchy
  const io::Json& mapping;
  const io::Json& sizes;  ///< bits of every "memory/operand" in a single buffer; may be null
  const io::Json& usage;  ///< bits in use of every memory; may be null
};

/// Returns a mapping in one line: "core K 2 x P 2, row C 128; P 2, K 2, S 3".
std::string mapping_line(const io::Json& mapping);

/// Returns a loop in one line: "K 8 (I in gbuf, W in macro, O in dram)".
std::string loop_line(const io::Json& loop);
/// Returns the factors of an axis in one line: "K 2 x P 2".
std::string factors_line(const io::Json& factors);

std::string nest_picture(const MappedNest& nest);
std::string machine_picture(const MappedNest& nest);
/// Returns the tiles of every operand, and the bits and share of each memory in use.
std::string memory_table(const MappedNest& nest);

}  // namespace nestor::report::html

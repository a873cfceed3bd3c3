// A second reading of kernels that come lowered already (docs/models/cnm.md, "llvcnm"): an llvcnm text of one
// tasklet to its tree of slots and transfers and what it takes of each memory, a text of HBM-PIM to its
// bursts; and what the libraries hold, written out from their tables: the programs of library calls, the
// command streams of HBM-PIM's kernels burst by burst. It splits lines by itself and follows branches by
// walking them; it shares types with model/cnm, no parser and no formula. `nestor verify` and the tests hold
// the first reading against it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/cnm/program.h"
#include "model/cnm/stream.h"

namespace nestor::cnm::second {

struct ReadListing {
  Program program;
  Int wram = 0, mram = 0, iram = 0;  ///< bytes
  Int bytes_in = 0, bytes_out = 0;   ///< of a DPU, by the host
  std::string fault;                 ///< what it cannot read, or a rule of the machine that is broken
};

/// The text as llvcnm is printed: what a result holds.
ReadListing read_listing(std::string_view text, const System& system, Int tasklets);

struct ReadStream {
  Stream stream;          ///< without loops
  bool too_long = false;  ///< more than `most_groups` groups
  std::string fault;      ///< what it cannot read
};

/// The text of a stream as it is printed: what a result holds.
ReadStream read_stream(std::string_view text, const System& system, Int most_groups);

struct LibraryDims {
  Type type = Type::i32;
  Int elements = 1;  ///< of a buffer
  Int iterations = 1;
  Int tasklets = 1;
  Int multiply_k = 8;
};
/// Nothing for other names than hst, sel and scan, and where instructions take other slots than in the table.
std::optional<Program> write_library(std::string_view name, const LibraryDims& dims, const System& system);

/// Without loops. Nothing if the machine's registers are not those of the table, or for more than
/// `most_groups` groups.
std::optional<Stream> write_stream(const PimKernel& kernel, const System& system, Int most_groups);

}  // namespace nestor::cnm::second

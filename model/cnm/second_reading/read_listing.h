// Independent reader of lowered kernels (docs/models/cnm.md, "llvcnm"). It converts an llvcnm text of one
// tasklet to its tree of slots and transfers and its use of each memory, and an HBM-PIM text to its bursts.
// It also generates the contents of the libraries from their tables: the programs of library calls, and the
// command streams of HBM-PIM's kernels burst by burst. It splits lines itself and follows branches by
// executing them. It shares types with model/cnm, but no parser and no formula. `nestor verify` and the tests
// compare model/cnm with it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/cnm/program.h"
#include "model/cnm/stream.h"

namespace nestor::cnm::second {

struct ReadListing {
  Program program;
  Int wram = 0, mram = 0, iram = 0;  ///< bytes used in each memory
  Int bytes_in = 0, bytes_out = 0;   ///< bytes that the host moves to and from a DPU
  std::string fault;                 ///< unreadable text, or a broken rule of the machine; otherwise empty
};

/// Reads the text of llvcnm in the form that is printed and that results contain.
ReadListing read_listing(std::string_view text, const System& system, Int tasklets);

struct ReadStream {
  Stream stream;          ///< without loops
  bool too_long = false;  ///< true if there are more than `most_groups` groups
  std::string fault;      ///< unreadable text; otherwise empty
};

/// Reads the text of a stream in the form that is printed and that results contain.
ReadStream read_stream(std::string_view text, const System& system, Int most_groups);

struct LibraryDims {
  Type type = Type::i32;
  Int elements = 1;  ///< number of elements in a buffer
  Int iterations = 1;
  Int tasklets = 1;
  Int multiply_k = 8;
};
/// Returns the program of a library call. Returns nothing for names other than hst, sel and scan, or if the
/// system's slots per instruction differ from the table.
std::optional<Program> write_library(std::string_view name, const LibraryDims& dims, const System& system);

/// Returns a stream without loops, or nothing if the machine's registers differ from the table or if there
/// are more than `most_groups` groups.
std::optional<Stream> write_stream(const PimKernel& kernel, const System& system, Int most_groups);

}  // namespace nestor::cnm::second

// A tasklet's program as a tree of slots, transfers, barriers and loops, for programs that a contract does
// not derive from a mapping: listings, programs of library calls, and programs in JSON.
#pragma once

#include "check/cnm/model.h"

namespace nestor::check::cnm {

struct TreeItem {
  using What = ProgramStep::What;
  What what = What::slots;
  Int amount = 0;  ///< slots, bytes or trips
  std::vector<TreeItem> body{};
};
using Tree = std::vector<TreeItem>;

/// Returns the program of a tree, with the slots of loops without requests added up.
Program program_of(const Tree& tree, const CnmMachine& machine, Int tasklets);

/// Reads a list such as [["slots", 240], ["loop", 16, [["read", 64]]]].
Tree read_tree(const Json& items);

/// A listing, and the bytes that it uses in each memory and that the host moves to and from a DPU.
struct Listing {
  Tree program;
  Int wram = 0, mram = 0, iram = 0;
  Int bytes_in = 0, bytes_out = 0;
};
/// Reads the text of llvcnm in the form that results contain. Throws Unreadable if it breaks a rule of
/// "Legality". `calls` are the slots of functions, by name.
Listing read_listing(const std::string& text, const CnmMachine& machine, const Json& calls, Int tasklets);

/// Dimensions of a library call.
struct LibraryCall {
  std::string name;
  std::string type;
  Int elements = 1;  ///< elements of a buffer
  Int iterations = 1;
  Int tasklets = 1;
  Int multiply_k = 8;
};
/// Returns the program of a call from the table of "llvcnm", or nothing if the machine's slots differ from
/// those of the table.
std::optional<Tree> library_program(const LibraryCall& call, const CnmMachine& machine, const Json& calls);

}  // namespace nestor::check::cnm

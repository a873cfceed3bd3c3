// The verbs of the tool: one row each. A verb either does the same for every space (lp, proof) and has a file
// app/VERB.cpp, or is done by the space that its inputs belong to (app/SPACE/, found by the table of spaces).
// To add one: the enumerator and name in io/options, the row here, and for the second kind a member of Space.
#pragma once

#include "app/space.h"

namespace nestor::app {

struct VerbEntry {
  io::Verb verb;
  std::string_view inputs;   ///< as the usage line shows them
  std::string_view summary;  ///< one line
  io::Result<ExitStatus> (*run)(const io::RunOptions& options, Spaces spaces) = nullptr;
  SpaceVerb Space::*of_space = nullptr;  ///< where `run` is null
};

io::Result<ExitStatus> show(const io::RunOptions& options, Spaces spaces);
io::Result<ExitStatus> sweep(const io::RunOptions& options, Spaces spaces);
io::Result<ExitStatus> work(const io::RunOptions& options, Spaces spaces);
io::Result<ExitStatus> store(const io::RunOptions& options, Spaces spaces);
io::Result<ExitStatus> lp(const io::RunOptions& options, Spaces spaces);
io::Result<ExitStatus> import_solution(const io::RunOptions& options, Spaces spaces);
io::Result<ExitStatus> check(const io::RunOptions& options, Spaces spaces);
io::Result<ExitStatus> write_report(const io::RunOptions& options, Spaces spaces);
io::Result<ExitStatus> proof(const io::RunOptions& options, Spaces spaces);

std::span<const VerbEntry> verbs();

/// Whether any space does it.
bool is_offered(const VerbEntry& entry, Spaces spaces);

io::Result<ExitStatus> run_verb(const VerbEntry& entry, const io::RunOptions& options, Spaces spaces);

}  // namespace nestor::app

// Table of the tool's verbs, with one row for each verb. A verb that is implemented once for all spaces (lp,
// proof) has a file app/VERB.cpp. The other verbs are implemented by the space of their inputs (app/SPACE/,
// found through the table of spaces). To add a verb, add its enumerator and name in io/options, its row here,
// and for a verb of the second kind a member of Space.
#pragma once

#include "app/space.h"

namespace nestor::app {

struct VerbEntry {
  io::Verb verb;
  std::string_view inputs;   ///< inputs as in the usage line
  std::string_view summary;  ///< help in one line
  io::Result<ExitStatus> (*run)(const io::RunOptions& options, Spaces spaces) = nullptr;
  SpaceVerb Space::*of_space = nullptr;  ///< used if `run` is null
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

/// True if some space implements the verb, or if the verb does not depend on spaces.
bool is_offered(const VerbEntry& entry, Spaces spaces);

io::Result<ExitStatus> run_verb(const VerbEntry& entry, const io::RunOptions& options, Spaces spaces);

}  // namespace nestor::app

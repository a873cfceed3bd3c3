// The verbs of the tool. Each has a file of its own (app/VERB.cpp) and a row in verbs.cpp; its options come
// from io/options.h. To add one: the enumerator and name in io/options, the file, the row.
#pragma once

#include <span>

#include "io/options.h"

namespace nestor::app {

/// Exit statuses of a verb that ran (overview, "Common surface"); failures are io::Error with their own.
enum class Outcome : int {
  solved = 0,
  limited = 1,  ///< a limit stopped it, or (verify, compare) the claim fails
};

struct VerbEntry {
  io::Verb verb;
  std::string_view inputs;   ///< as the usage line shows them
  std::string_view summary;  ///< one line
  io::Result<Outcome> (*run)(const io::RunOptions& options);
};

io::Result<Outcome> show(const io::RunOptions& options);
io::Result<Outcome> evaluate(const io::RunOptions& options);
io::Result<Outcome> simulate(const io::RunOptions& options);
io::Result<Outcome> lp(const io::RunOptions& options);
io::Result<Outcome> verify(const io::RunOptions& options);
io::Result<Outcome> schedule(const io::RunOptions& options);
io::Result<Outcome> map(const io::RunOptions& options);

std::span<const VerbEntry> verbs();

}  // namespace nestor::app

// Destination of a verb's JSON, and messages that several verbs print.
#pragma once

#include <fmt/format.h>

#include <string>

#include "app/space.h"
#include "report/results/result_parts.h"

namespace nestor::app {

/// To the files that --json and --report name, if they name some.
io::MaybeError write_json_output(const io::RunOptions& options, const io::Json& json);
/// The HTML page that --report names, if it names one.
io::MaybeError write_report_output(const io::RunOptions& options, const io::Json& json);
/// The outputs of a run. Each is tried, whatever became of those before it.
class Outputs {
 public:
  /// One was tried. Of several that fail, the first is the run's failure; the others are said at once.
  void add(io::MaybeError failure);
  /// How the run ends: as the first failure, or with `outcome`.
  io::Result<ExitStatus> end(const io::Result<ExitStatus>& outcome) const;
  /// The run fails for another reason, beside which a failure to write is only said.
  const io::Error& beside(const io::Error& error) const;

 private:
  io::MaybeError failure_;
};

/// A trace shows one layer, which has a mapping: the only one, or the one that --layer names.
template <typename Layers>
io::MaybeError check_one_traced(const Layers& layers) {
  if (layers.size() != 1)
    return io::usage_error(
        fmt::format("--trace shows one layer, found {}: choose one with --layer", layers.size()));
  if (!layers.front().best.mapping) return io::usage_error("--trace: the layer has no mapping");
  return std::nullopt;
}

/// A baseline that finds no mapping proves nothing.
inline constexpr std::string_view nothing_found = "nothing_found";

/// A limit ended the run (its status), or `nothing_found`: says so on standard error. The outputs are valid.
ExitStatus limited_by(std::string_view status);
/// A claim of `what` failed: says so on standard error.
ExitStatus claim_failed(std::string_view what);

/// Tables are for people; with --json - standard output belongs to the JSON.
bool prints_tables(const io::RunOptions& options);

}  // namespace nestor::app

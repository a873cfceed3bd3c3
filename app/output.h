// Destinations of a verb's JSON, and messages that several verbs print.
#pragma once

#include <fmt/format.h>

#include <string>

#include "app/space.h"
#include "report/results/result_parts.h"

namespace nestor::app {

/// Writes the result to the file of --json and its HTML page to the file of --report, if they are given.
io::MaybeError write_json_output(const io::RunOptions& options, const io::Json& json);
/// Writes the HTML page that --report names, if any.
io::MaybeError write_report_output(const io::RunOptions& options, const io::Json& json);
/// Failures of a run's outputs. Every output is attempted, even if an earlier one failed.
class Outputs {
 public:
  /// Adds the outcome of one output. The first failure becomes the failure of the run; later ones are printed
  /// immediately.
  void add(io::MaybeError failure);
  /// Returns the first failure of an output, or else `outcome`, for runs that have results.
  io::Result<ExitStatus> end(const io::Result<ExitStatus>& outcome) const;
  /// Returns `error`, which ended the run without a result. The failure of an output, if there is one, is
  /// only printed.
  io::Error fail_with(io::Error error) const;

 private:
  io::MaybeError failure_;
};

/// Returns an error unless there is exactly one layer and it has a mapping, since a trace shows one layer.
template <typename Layers>
io::MaybeError check_one_traced(const Layers& layers) {
  if (layers.size() != 1)
    return io::usage_error(
        fmt::format("--trace shows one layer, found {}: choose one with --layer", layers.size()));
  if (!layers.front().best.mapping) return io::usage_error("--trace: the layer has no mapping");
  return std::nullopt;
}

/// Status of a baseline method that found no mapping. It does not prove that none exists.
inline constexpr std::string_view nothing_found = "nothing_found";

/// Prints on standard error why a run ended without a proof: a limit, a search that cannot prove its result,
/// or a method that found nothing. Returns ExitStatus::limited. `status` is the status of the run or
/// `nothing_found`. The outputs remain valid.
ExitStatus limited_by(std::string_view status);
/// Prints on standard error that `what` is not confirmed. Returns ExitStatus::failed.
ExitStatus claim_failed(std::string_view what);

/// True if tables are printed: --quiet is not given, and neither --json nor --report uses standard output.
bool prints_tables(const io::RunOptions& options);

}  // namespace nestor::app

#include "app/in_process.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <new>

#include "app/console.h"
#include "app/interrupt.h"
#include "app/verb_table.h"

namespace nestor::app {
namespace {

// Refuses "-" as an input or output.
io::MaybeError refuse_standard_streams(const io::RunOptions& options, io::Verb verb) {
  const auto refusal = [](std::string_view what) {
    return io::usage_error(
        fmt::format("{} is '-', expected a file: the standard streams belong to the calling program", what));
  };
  if (std::find(options.inputs.begin(), options.inputs.end(), "-") != options.inputs.end())
    return refusal("an input");
  for (const auto name : options.given)
    if (const auto* const option = io::find_option(verb, name);
        option != nullptr && option->get(options) == "-")
      return refusal(fmt::format("--{}", name));
  return std::nullopt;
}

io::Result<ExitStatus> run(io::Verb verb, const io::RunOptions& options, Spaces spaces) {
  for (const VerbEntry& entry : verbs()) {
    if (entry.verb != verb || !is_offered(entry, spaces)) continue;
    if (auto error = refuse_standard_streams(options, verb)) return *error;
    if (auto error = io::check_exclusions(options, verb)) return *error;
    auto written = options;
    written.json = "-";
    return run_verb(entry, written, spaces);
  }
  return io::usage_error(fmt::format("unknown verb {}", io::to_string(verb)));
}

}  // namespace

const char* word_of(io::ErrorKind kind) {
  switch (kind) {
    case io::ErrorKind::limit:
      return "limit";
    case io::ErrorKind::usage:
      return "usage";
    case io::ErrorKind::input:
      return "input";
    case io::ErrorKind::infeasible:
      return "infeasible";
    case io::ErrorKind::internal:
      return "internal";
    case io::ErrorKind::output:
      return "output";
  }
  return "internal";
}

HostedResult run_in_process(io::Verb verb, const io::RunOptions& options, const Host& host, Spaces spaces) {
  CapturedOutput output;
  const HostedRun hosted{host.stop};
  const io::ProgressSink progress = host.progress ? host.progress : [](const auto&, const auto&) {};
  const ThreadOverride<CapturedOutput> captured(output);
  const ThreadOverride<const HostedRun> stopped(hosted);
  const ThreadOverride<const io::ProgressSink> shown(progress);
  const ThreadOverride<const io::MemoryFiles> held(host.files);
  io::Result<ExitStatus> end = ExitStatus::solved;
  try {
    end = run(verb, options, spaces);
  } catch (const std::bad_alloc&) {
    end = io::limit_error("stopped before the end (memory_limit): the system has no more memory");
  } catch (const std::exception& failure) {
    end = io::internal_error(failure.what());
  }
  return {std::move(end), std::move(output.text), std::move(output.remarks)};
}

}  // namespace nestor::app

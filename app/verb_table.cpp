#include "app/verb_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/thread_override.h"
#include "io/document.h"
#include "io/output_file.h"
#include "report/run_record.h"
#include "report/tables/progress.h"

namespace nestor::app {
namespace {

using io::Verb;

constexpr std::array table = {
    VerbEntry{Verb::map, "NETWORK...", "Find the best mapping of every layer and prove its optimality",
              nullptr, &Space::map},
    VerbEntry{Verb::compile, "NETWORK", "Compile a network to a chip of crossbar cores", nullptr,
              &Space::compile},
    VerbEntry{Verb::estimate, "KERNEL", "Estimate the time that a kernel takes", nullptr, &Space::estimate},
    VerbEntry{Verb::show, "[WHAT...]", "Print an architecture, a network or a mapping as text", show},
    VerbEntry{Verb::evaluate, "[RESULT]",
              "Compute the cost of given mappings: latency, energy, traffic, memory use", nullptr,
              &Space::evaluate},
    VerbEntry{Verb::simulate, "[RESULT]", "Replay given mappings event by event and count cycles and waits",
              nullptr, &Space::simulate},
    VerbEntry{Verb::verify, "[RESULT | SCHEDULE]",
              "Confirm a result's claims with code that is independent of the search", nullptr,
              &Space::verify},
    VerbEntry{Verb::schedule, "NETLIST", "Schedule a netlist on bit-serial arrays with few copies", nullptr,
              &Space::schedule},
    VerbEntry{Verb::export_model, "NETWORK...", "Write a paper's mixed-integer program for MIP solvers",
              nullptr, &Space::export_model},
    VerbEntry{Verb::import_solution, "SOLUTION",
              "Check and evaluate a MIP solver's solution of an exported model", import_solution},
    VerbEntry{Verb::compare, "NETWORK...",
              "Run MIP solvers on the exported models and compare them with Nestor's proof", nullptr,
              &Space::compare},
    VerbEntry{Verb::check, "BASELINE...", "Repeat runs and fail if an optimum, bound or mapping has changed",
              check},
    VerbEntry{Verb::report, "RESULT...", "Write an HTML page of results, several side by side", write_report},
    VerbEntry{Verb::sweep, "PLAN.yaml", "Solve networks on many machines, with a store that processes share",
              sweep},
    VerbEntry{Verb::work, "", "Solve open points of a sweep store", work},
    VerbEntry{Verb::store, "copy FROM TO | create STORE",
              "Copy a sweep store, such as from a file to a server, or create an empty one", store},
    VerbEntry{Verb::lp, "FILE", "Solve a linear program in an MPS or LP file with the bundled simplex", lp},
    VerbEntry{Verb::proof, "dump FILE",
              "Print the proof that map or compile wrote with --proof, one line per step", proof},
};

}  // namespace

std::span<const VerbEntry> verbs() { return table; }

bool is_offered(const VerbEntry& entry, Spaces spaces) {
  return entry.of_space == nullptr ||
         std::any_of(spaces.begin(), spaces.end(), [&](const Space& space) { return space.*entry.of_space; });
}

namespace {

const io::OutputValue* output_of(std::string_view name, io::Verb verb) {
  const auto* const option = io::find_option(verb, name);
  return option == nullptr ? nullptr : std::get_if<io::OutputValue>(&option->value);
}

// Checks the outputs before anything is read or searched, because a result that cannot be stored is useless.
io::MaybeError check_outputs(const io::RunOptions& options, io::Verb verb) {
  std::vector<std::pair<std::string_view, std::string_view>> outputs;
  for (const auto name : options.given)
    if (const auto* const output = output_of(name, verb)) outputs.emplace_back(name, options.*output->field);
  for (std::size_t i = 0; i < outputs.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (io::are_one_output(outputs[j].second, outputs[i].second))
        return io::usage_error(fmt::format("--{} and --{} would both be written to {}", outputs[j].first,
                                           outputs[i].first, io::quote(outputs[i].second)));
  for (const auto& [name, file] : outputs)
    if (auto error = io::check_writable(file)) return error;
  return std::nullopt;
}

// Returns the version and the command, without the names of output files.
std::string begin_text(const VerbEntry& entry, const io::RunOptions& options) {
  std::string text = fmt::format("nestor {}: {}", NESTOR_VERSION, io::to_string(entry.verb));
  for (const auto& input : options.inputs) text += " " + input;
  for (const auto& [name, value] : report::given_options(options, entry.verb))
    text += value == "true" ? fmt::format(" --{}", name) : fmt::format(" --{} {}", name, value);
  return text;
}

io::Result<ExitStatus> run_unlogged(const VerbEntry& entry, const io::RunOptions& options, Spaces spaces) {
  if (entry.of_space == nullptr) return entry.run(options, spaces);
  const auto space = space_of(spaces, options, entry.verb, entry.of_space);
  if (!space) return space.error();
  if (auto error = check_options_of(**space, options, entry.verb)) return *error;
  return ((*space)->*entry.of_space)(options);
}

}  // namespace

io::Result<ExitStatus> run_verb(const VerbEntry& entry, const io::RunOptions& options, Spaces spaces) {
  if (auto error = check_outputs(options, entry.verb)) return *error;
  if (options.quiet) io::ProgressLine::silence();
  if (options.log.empty() && !options.verbose) return run_unlogged(entry, options, spaces);
  auto log =
      options.verbose ? io::Result(io::SearchLog::to_standard_error()) : io::SearchLog::open(options.log);
  if (!log) return log.error();
  const ThreadOverride<io::SearchLog> logged(*log);
  log->event(begin_text(entry, options));
  auto outcome = run_unlogged(entry, options, spaces);
  log->event(outcome ? fmt::format("ended with status {}", static_cast<int>(*outcome))
                     : fmt::format("ended with status {}: {}", static_cast<int>(outcome.error().kind),
                                   outcome.error().to_string()));
  return outcome;
}

}  // namespace nestor::app

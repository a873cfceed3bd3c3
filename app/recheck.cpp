#include "app/recheck.h"

#include "app/interrupt.h"
#include "app/memory.h"

namespace nestor::app {

io::MaybeError refuse_recheck_of_mappings(const io::RunOptions& options) {
  if (!options.recheck || !options.inputs.empty()) return std::nullopt;
  return io::usage_error("--recheck needs a result file: mappings alone claim no optimum");
}

io::Result<io::RunOptions> asked_to_prove(const std::string& verb, const io::OptionTexts& options) {
  if (verb != "map")
    return io::usage_error(fmt::format("--recheck requires a result of map, found a result of {}", verb));
  io::RunOptions asked;
  for (const auto& [option, text] : options)
    if (auto error = io::set_option(asked, io::Verb::map, option, text)) return *error;
  if (!is_search(asked.map_method))
    return io::usage_error("--recheck requires the result of a search, found the result of a baseline");
  return asked;
}

NewSearch::NewSearch(const io::RunOptions& options)
    : executor_(make_executor(ExecutorKind::tbb, 0)),
      memory_(memory_limit(options)),
      resources_{*executor_, memory_} {
  resources_.deadline = deadline_after(options.run_time_limit, program_start());
  resources_.interrupted = &watch_signals();
}

io::Error NewSearch::contradiction(std::string_view subject) {
  return io::internal_error(
      fmt::format("{}: the new search contradicts itself; please report this", subject));
}

}  // namespace nestor::app

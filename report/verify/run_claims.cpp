#include "report/verify/run_claims.h"

#include <algorithm>
#include <array>

#include "report/verify/sentence.h"

namespace nestor::io {

std::optional<ReadRun> read_run_again(const RunClaims& run, Claims& claims) {
  constexpr std::array verbs = {Verb::map,  Verb::evaluate, Verb::simulate,
                                Verb::show, Verb::verify,   Verb::import_solution};
  const auto* const verb = std::find_if(
      verbs.begin(), verbs.end(), [&](Verb candidate) { return to_string(candidate) == run.head.verb; });
  if (verb == verbs.end()) {
    claims.finding(sentence("verb '", run.head.verb, "' is unknown"));
    return std::nullopt;
  }
  ReadRun read{*verb, {}};
  // The options of an import are those of its export.
  const Verb options_of = *verb == Verb::import_solution ? Verb::export_model : *verb;
  for (const auto& [name, text] : run.head.options) {
    const auto* const option = find_option(options_of, name);
    if (option != nullptr && !option->is_for(run.space))
      claims.finding(sentence("options: --", name, " does not apply to the space '", run.space, "'"));
    if (const auto error = set_option(read.given, options_of, name, text))
      claims.finding(sentence("options: ", error->message));
  }
  return read;
}

void require_roles(const RunClaims& run, std::initializer_list<std::string_view> roles, Claims& claims) {
  for (const auto role : roles)
    if (std::none_of(run.head.inputs.begin(), run.head.inputs.end(),
                     [&](const auto& input) { return input.role == role; }))
      claims.finding(sentence("inputs: no entry has the role '", role, "'"));
}

}  // namespace nestor::io

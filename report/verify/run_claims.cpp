#include "report/verify/run_claims.h"

#include <algorithm>
#include <array>

#include "report/run_record.h"
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
  // The options of an import are those of its export.
  const Verb options_of = *verb == Verb::import_solution ? Verb::export_model : *verb;
  std::vector<std::string> findings;
  ReadRun read{*verb, report::options_of_result(run.head.options, options_of, run.space, findings)};
  for (const auto& finding : findings) claims.finding(finding);
  return read;
}

void require_roles(const RunClaims& run, std::initializer_list<std::string_view> roles, Claims& claims) {
  for (const auto role : roles)
    if (std::none_of(run.head.inputs.begin(), run.head.inputs.end(),
                     [&](const auto& input) { return input.role == role; }))
      claims.finding(sentence("inputs: no entry has the role '", role, "'"));
}

}  // namespace nestor::io

// nestor verify in the cim space: checks the claims of a result file, or that given mappings are legal and
// canonical. Without --recheck, it uses only report/cim/verify, check/cim/contract and the replay, and
// none of the code that produced the claims.
#include "report/cim/verify/result_check.h"

#include <fmt/format.h>

#include "app/cim/cim.h"
#include "app/cim/inputs.h"
#include "app/cim/recheck.h"
#include "app/inputs.h"
#include "app/recheck.h"
#include "app/verification.h"

namespace nestor::app::cim_space {
namespace {

// Checks all claims of a result file. Other inputs contain only mappings to check.
io::Result<io::ResultCheck> check_claims(const io::RunOptions& options) {
  if (options.inputs.empty()) {
    if (auto error = refuse_recheck_of_mappings(options)) return *error;
    const auto run = read_mapped_layers(options, io::Verb::verify);
    if (!run) return run.error();
    return io::check_cim_mappings(*run);
  }
  if (auto error = check_mapped_inputs(options, io::Verb::verify, "cim")) return *error;
  const auto& file = options.inputs.front();
  const auto text = io::read_file(file, io::result_limits.bytes);
  if (!text) return text.error();
  auto check = io::check_cim_text(*text, file, read_network_of);
  if (!check || !options.recheck) return check;
  const auto run = io::read_result(file);
  if (!run) return run.error();
  if (auto error = recheck(options, *run, *check)) return *error;
  return check;
}

}  // namespace

io::Result<ExitStatus> verify(const io::RunOptions& options) {
  const auto check = check_claims(options);
  if (!check) return check.error();
  // Mappings without a result claim no figures.
  const auto* const good = check->figures == 0 ? "legal and canonical" : "confirmed";
  return report_check(options, *check, io::unproved_claims, good, "mapping");
}

}  // namespace nestor::app::cim_space

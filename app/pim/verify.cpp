// nestor verify on a PIM result: recomputes every figure by stepping through the mapping, and compares it
// with the result. Claims that only a new search can confirm are listed.
#include "app/inputs.h"
#include "app/pim/pim.h"
#include "app/pim/recheck.h"
#include "app/recheck.h"
#include "app/verification.h"
#include "report/keys/common.h"
#include "report/pim/result_check.h"

namespace nestor::app::pim_space {

io::Result<ExitStatus> verify(const io::RunOptions& options) {
  if (options.inputs.empty()) {
    if (auto error = refuse_recheck_of_mappings(options)) return *error;
    const auto run = read_mapped_layers(options, io::Verb::verify);
    if (!run) return run.error();
    return report_check(options, report::check_pim_mappings(*run), io::unproved_claims, "legal and canonical",
                        "mapping");
  }
  if (auto error = check_mapped_inputs(options, io::Verb::verify, "pim")) return *error;
  const auto& file = options.inputs.front();
  const auto run = io::pim::read_run(file);
  if (!run) return run.error();
  const auto text = io::read_file(file, io::result_limits.bytes);
  if (!text) return text.error();
  const auto claims = io::Json::parse(*text, nullptr, false);
  if (claims.is_discarded() || !claims.is_object() || !claims.contains(key::layers) ||
      !claims[key::layers].is_array() || claims[key::layers].size() != run->layers.size())
    return io::input_error({file}, "expected JSON written by map, evaluate or simulate");
  auto check = report::check_pim_result(*run, claims, read_network_of);
  if (options.recheck)
    if (auto error = recheck(options, *run, claims, check)) return *error;
  return report_check(options, check, io::unproved_claims, "confirmed", "mapping");
}

}  // namespace nestor::app::pim_space

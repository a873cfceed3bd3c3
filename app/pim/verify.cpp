// nestor verify on a PIM result: every figure is worked out again by walking the mapping, and compared; what
// nobody can confirm without searching again is named.
#include "app/pim/pim.h"
#include "app/verification.h"
#include "report/pim/result_check.h"

namespace nestor::app::pim_space {

io::Result<Outcome> verify(const io::RunOptions& options) {
  auto run = read_mapped_layers(options, io::Verb::verify);
  if (!run) return run.error();
  if (options.inputs.empty())
    return report_check(options, report::check_pim_mappings(*run), io::unproved_claims, "legal and canonical",
                        "mapping");
  const auto& file = options.inputs.front();
  const auto text = io::read_file(file, io::DocumentLimits{}.bytes);
  if (!text) return text.error();
  const auto claims = io::Json::parse(*text, nullptr, false);
  if (claims.is_discarded() || !claims.is_object() || !claims.contains("layers") ||
      !claims["layers"].is_array() || claims["layers"].size() != run->layers.size())
    return io::input_error({file}, "this is no JSON as map, evaluate and simulate write it");
  return report_check(options, report::check_pim_result(*run, claims), io::unproved_claims, "confirmed",
                      "mapping");
}

}  // namespace nestor::app::pim_space

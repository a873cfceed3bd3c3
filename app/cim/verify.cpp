// nestor verify: is every claim of a result file true, or a given mapping legal and canonical? Uses only
// io/verify, model/cim/second_reading and the replay, none of the code that made the claims.
#include "io/verify/result_check.h"

#include "app/cim/cim.h"
#include "app/console.h"
#include "app/inputs.h"
#include "app/output.h"
#include "io/units.h"

namespace nestor::app::cim_space {
namespace {

io::Result<io::RunResult> read_claims(const io::RunOptions& options) {
  if (options.inputs.size() == 1 && options.arch.empty() && options.layers.empty() && options.mapping.empty())
    return io::read_result(options.inputs.front());
  return read_mapped_layers(options, io::Verb::verify);
}

io::Json to_json(const io::ResultCheck& check) {
  return {
      {"schema", "nestor.verification/1"}, {"version", NESTOR_VERSION}, {"confirmed", check.findings.empty()},
      {"mappings", check.mappings},        {"figures", check.figures},  {"findings", check.findings}};
}

}  // namespace

io::Result<Outcome> verify(const io::RunOptions& options) {
  const auto run = read_claims(options);
  if (!run) return run.error();
  const auto check = io::check_result(*run);
  if (const auto error = write_json_output(options, to_json(check))) return *error;
  if (prints_tables(options)) {
    for (const auto& finding : check.findings) print("{}\n", finding);
    print("{}: {} mapping{}, {} figure{} compared, {} finding{}\n",
          check.findings.empty() ? "confirmed" : "NOT confirmed", io::count_text(check.mappings),
          check.mappings == 1 ? "" : "s", io::count_text(check.figures), check.figures == 1 ? "" : "s",
          check.findings.size(), check.findings.size() == 1 ? "" : "s");
  }
  return check.findings.empty() ? Outcome::solved : Outcome::limited;
}

}  // namespace nestor::app::cim_space

// nestor verify: is every claim of a result file true, or a given mapping legal and canonical? Uses only
// io/verify, model/cim/second_reading and the replay, none of the code that made the claims.
#include "io/verify/file_check.h"

#include "app/cim/cim.h"
#include "app/cim/recheck.h"
#include "app/console.h"
#include "app/inputs.h"
#include "app/output.h"
#include "io/units.h"

namespace nestor::app::cim_space {
namespace {

// A network as the run that wrote the result read it.
io::Result<Network> read_network_of(const std::string& name, const io::RunResult& run) {
  io::RunOptions options;
  for (const auto& [option, text] : run.options)
    if (option == "bits" || option == "batch" || option == "dim")
      if (auto error = io::set_option(options, io::Verb::map, option, text)) return *error;
  return read_network(name, options);
}

// A result file is confirmed as a whole; other inputs have only mappings to be checked.
io::Result<io::ResultCheck> check_claims(const io::RunOptions& options) {
  if (options.is_given("time-limit") && !options.recheck)
    return io::usage_error("--time-limit goes with --recheck: nothing else searches");
  if (options.inputs.empty()) {
    if (options.recheck)
      return io::usage_error("--recheck needs a result file: mappings alone claim no optimum");
    const auto run = read_mapped_layers(options, io::Verb::verify);
    if (!run) return run.error();
    return io::check_result(*run);
  }
  for (const auto* const name : {"arch", "layers", "mapping", "bits", "batch", "dim", "layer"})
    if (options.is_given(name))
      return io::usage_error(fmt::format("--{} does not go with a result file, which has its own", name));
  if (options.inputs.size() > 1)
    return io::usage_error(fmt::format("unexpected input '{}', expected one result file", options.inputs[1]));
  const auto& file = options.inputs.front();
  const auto text = io::read_file(file, io::result_limits.bytes);
  if (!text) return text.error();
  auto check = io::check_result_file(*text, file, read_network_of);
  if (!check || !options.recheck) return check;
  const auto run = io::read_result(file);
  if (!run) return run.error();
  if (auto error = recheck(options, *run, *check)) return *error;
  return check;
}

io::Json to_json(const io::ResultCheck& check) {
  return {{"schema", "nestor.verification/1"},
          {"version", NESTOR_VERSION},
          {"confirmed", check.findings.empty()},
          {"mappings", check.mappings},
          {"figures", check.figures},
          {"findings", check.findings},
          {"optimality", check.optimality},
          {"not_checked", check.not_checked}};
}

void print_check(const io::ResultCheck& check, bool rechecked) {
  for (const auto& finding : check.findings) print("{}\n", finding);
  // Of mappings alone nothing is claimed but that they are mappings.
  const auto* const good = check.figures == 0 ? "legal and canonical" : "confirmed";
  print("{}: {} mapping{}, {} figure{} compared, {} finding{}\n",
        check.findings.empty() ? good : "NOT confirmed", io::count_text(check.mappings),
        check.mappings == 1 ? "" : "s", io::count_text(check.figures), check.figures == 1 ? "" : "s",
        check.findings.size(), check.findings.size() == 1 ? "" : "s");
  if (rechecked) print("optimality: {}, which is code that made the result\n", check.optimality);
  if (!check.not_checked.empty()) nestor::app::print("not checked: {}\n", fmt::join(check.not_checked, "; "));
}

}  // namespace

io::Result<Outcome> verify(const io::RunOptions& options) {
  const auto check = check_claims(options);
  if (!check) return check.error();
  if (prints_tables(options)) print_check(*check, options.recheck);
  if (const auto error = write_json_output(options, to_json(*check))) return *error;
  const bool stopped = check->optimality == io::optimality_left_open;
  return check->findings.empty() && !stopped ? Outcome::solved : Outcome::limited;
}

}  // namespace nestor::app::cim_space

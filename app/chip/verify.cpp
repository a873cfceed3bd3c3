// nestor verify for results of compile: checks legality, figures and all other entries with code that
// produced none of them. --recheck confirms the claim of optimality by a new search.
#include <fmt/format.h>

#include "app/chip/chip.h"
#include "app/chip/compiled.h"
#include "app/chip/search.h"
#include "app/verification.h"
#include "report/chip/claim_check.h"
#include "report/chip/verify/result_check.h"

namespace nestor::app::chip_space {
namespace {

// Compares the result's claims about its search with a new search.
io::MaybeError recheck(const io::RunOptions& options, io::CompileCheck& check) {
  const auto& compiled = check.compiled;
  io::RunOptions given = check.options;
  given.chip_method = chip::CompileMethod::optimal;
  given.work_limit.reset();
  given.gap = 0;
  given.run_time_limit = options.run_time_limit;
  given.threads = options.threads;
  const auto problem = chip::make_problem(compiled.machine, compiled.network);
  const auto request = request_of(given, compiled.machine.mode);
  if (!request) return request.error();
  SearchSetup setup(given);
  setup.set_network(compiled.network.name);
  const auto result = chip::compile_network(problem, *request, setup.resources());
  setup.clear_line();
  if (!result.fault.empty()) return io::internal_error(result.fault);
  report::check_claim(result.outcome, check);
  return std::nullopt;
}

}  // namespace

io::Result<ExitStatus> verify(const io::RunOptions& options) {
  if (options.inputs.size() != 1)
    return io::usage_error(fmt::format("expected one result, found {} inputs", options.inputs.size()));
  if (auto error = io::check_result_exclusions(options, io::Verb::verify, "chip")) return *error;
  const auto& file = options.inputs.front();
  const auto text = io::read_file(file, io::result_limits.bytes);
  if (!text) return text.error();
  const io::CompileInputs inputs = {
      [](const std::string& name, const io::RunOptions& given) {
        auto with_name = given;
        with_name.arch = name;
        return read_machine(with_name);
      },
      [](const std::string& name, const chip::ChipMachine& machine, const io::RunOptions& given) {
        return read_network(name, machine, given);
      }};
  auto check = io::check_compile_result(*text, file, inputs);
  if (!check) return check.error();
  if (options.recheck && check->findings.empty() && check->optimality != io::Optimality::none_claimed)
    if (auto error = recheck(options, *check)) return *error;
  return report_check(options, *check, std::array{io::unproved_compilation}, "confirmed", "schedule");
}

}  // namespace nestor::app::chip_space

// nestor verify and nestor show for schedules of netlists.
#include "app/simd/simd.h"

#include <fmt/format.h>

#include "app/console.h"
#include "app/output.h"
#include "io/files.h"
#include "io/netlist/read_netlist.h"
#include "report/keys/common.h"
#include "report/results/simd/schedule_file.h"
#include "report/simd/schedule_check.h"
#include "report/simd/schedule_source.h"

namespace nestor::app::simd_space {
namespace {

using report::ScheduleCheck;

// Checks a schedule. If it can be read but belongs to another netlist, this is a failed claim and not an
// invalid input.
io::Result<ScheduleCheck> check_schedule(const report::ScheduleSource& source, const std::string& file,
                                         const std::string& netlist, const io::RunOptions& options) {
  const auto parsed = io::parse_schedule(source.text, file);
  if (!parsed) return parsed.error();
  auto network = io::read_netlist(netlist);
  if (!network) return network.error();
  const auto original = network->netlist;
  const auto mapped = simd::map_to_xmg(std::move(network).value(), map_policy(options));

  ScheduleCheck check;
  check.mapping = mapped.report;
  auto& findings = check.verdict.findings;
  const auto energy = report::energy_of_options(source.result);
  if (!energy) {
    findings.push_back(energy.error().to_string());
    return check;
  }
  auto contract = report::contract_of(*parsed, mapped.netlist, original, *energy);
  check.figures = std::move(contract.figures);
  if (!contract.fault.empty())
    findings.push_back(
        io::input_error({file, static_cast<int>(contract.line), 0}, contract.fault).to_string());
  else if (!source.result.is_null())
    report::check_claims(source.result, {mapped.netlist, mapped.report}, netlist, *energy,
                         report::quick_random_patterns(original), check);
  return check;
}

// Returns --netlist, or the netlist that a result names.
io::Result<std::string> netlist_of(const report::ScheduleSource& source, const io::RunOptions& options) {
  if (!options.netlist.empty()) return options.netlist;
  if (source.netlist.empty())
    return io::usage_error("a schedule is verified against its netlist: --netlist FILE");
  return source.netlist;
}

// Sets --remap if it is given, or if the run that wrote the result had it.
void take_options(const report::ScheduleSource& source, io::RunOptions& options) {
  const auto& result = source.result;
  if (result.is_object() && result.contains(key::options) && result[key::options].is_object())
    options.remap = options.remap || result[key::options].contains("remap");
}

}  // namespace

simd::MapPolicy map_policy(const io::RunOptions& options) {
  return options.remap ? simd::MapPolicy::always : simd::MapPolicy::when_needed;
}

bool owns(std::string_view /*path*/, std::string_view head) { return head.starts_with("nestor-schedule"); }

io::Result<ExitStatus> verify(const io::RunOptions& options) {
  if (options.inputs.size() != 1) {
    return io::usage_error(fmt::format("expected one schedule, found {} inputs", options.inputs.size()));
  }
  const auto& file = options.inputs.front();
  const auto source = report::read_schedule_source(file);
  if (!source) return source.error();
  const auto netlist = netlist_of(*source, options);
  if (!netlist) return netlist.error();
  auto given = options;
  take_options(*source, given);
  const auto check = check_schedule(*source, file, *netlist, given);
  if (!check) return check.error();
  if (prints_tables(options)) print_text(report::schedule_check_text(*check));
  if (const auto error = write_json_output(options, report::schedule_check_json(*check))) return *error;
  return check->verdict.findings.empty() ? ExitStatus::solved : claim_failed(file);
}

// Shows the text of a schedule, with the claims of a result about it.
io::Result<Shown> show_schedule(const std::string& file, const io::RunOptions& /*options*/) {
  const auto source = report::read_schedule_source(file);
  if (!source) return source.error();
  const auto parsed = io::parse_schedule(source->text, file);
  if (!parsed) return parsed.error();
  return Shown{source->text, report::shown_schedule_json(*source)};
}

io::Result<Shown> show_solutions(const io::RunOptions& options) {
  if (options.inputs.size() != 1)
    return io::usage_error(fmt::format("expected one schedule, found {} inputs", options.inputs.size()));
  return show_schedule(options.inputs.front(), options);
}

}  // namespace nestor::app::simd_space

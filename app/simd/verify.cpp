#include "app/simd/simd.h"

#include "app/console.h"
#include "app/output.h"
#include "io/files.h"
#include "io/netlist/read_netlist.h"
#include "report/results/simd/schedule_file.h"
#include "report/simd/schedule_check.h"

namespace nestor::app::simd_space {
namespace {

using report::ScheduleCheck;

// A schedule that can be read but is of another netlist is a claim that fails, not bad input.
io::Result<ScheduleCheck> check_schedule(const std::string& text, const std::string& file,
                                         const io::RunOptions& options) {
  const auto parsed = io::parse_schedule(text, file);
  if (!parsed) return parsed.error();
  auto network = io::read_netlist(options.netlist);
  if (!network) return network.error();
  const auto source = network->netlist;
  const auto mapped = simd::map_to_xmg(std::move(network).value(), map_policy(options));

  ScheduleCheck check;
  check.mapping = mapped.report;
  check.rows = parsed->schedule.rows;
  const auto schedule = io::resolve_schedule(*parsed, mapped.netlist, file);
  if (!schedule) {
    check.findings.push_back(schedule.error().to_string());
    return check;
  }
  const auto verdict = simd::verify_schedule(mapped.netlist, source, *schedule);
  check.figures = verdict.figures;
  if (verdict.fault) {
    const auto line = io::line_of(*parsed, *verdict.fault, mapped.netlist);
    check.findings.push_back(
        io::input_error({file, static_cast<int>(line), 0}, verdict.fault->message).to_string());
  }
  return check;
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
  if (options.netlist.empty())
    return io::usage_error("a schedule is verified against its netlist: --netlist FILE");
  const auto& file = options.inputs.front();
  const auto text = io::read_file(file, io::netlist_size_limit);
  if (!text) return text.error();
  const auto check = check_schedule(*text, file, options);
  if (!check) return check.error();
  if (prints_tables(options)) print_text(report::schedule_check_text(*check));
  if (const auto error = write_json_output(options, report::schedule_check_json(*check))) return *error;
  return check->findings.empty() ? ExitStatus::solved : ExitStatus::limited;
}

}  // namespace nestor::app::simd_space

// nestor schedule: the order and placement of a netlist's gates on bit-serial arrays, with few copies.
#include "app/console.h"
#include "app/interrupt.h"
#include "app/memory.h"
#include "app/output.h"
#include "app/simd/simd.h"
#include "io/netlist/energies.h"
#include "io/netlist/netlist_writer.h"
#include "io/netlist/read_netlist.h"
#include "io/output_file.h"
#include "mapper/simd/make_schedule.h"
#include "report/keys/common.h"
#include "report/keys/simd.h"
#include "report/map_progress.h"
#include "report/results/simd/schedule_file.h"
#include "report/simd/schedule_contract.h"
#include "report/simd/schedule_run.h"
#include "report/tables/progress.h"
#include "solver/engine/stop_source.h"

namespace nestor::app::simd_space {
namespace {

simd::ScheduleRequest request_of(const io::RunOptions& options) {
  simd::ScheduleRequest request;
  request.method = options.method;
  request.rows = static_cast<std::uint32_t>(options.rows);
  request.array_limit = static_cast<std::uint32_t>(options.arrays.value_or(0));
  request.time_limit = options.time_limit;
  request.work_limit = static_cast<std::uint64_t>(options.work_limit.value_or(0));
  request.planned_work = static_cast<std::uint64_t>(options.planned_work.value_or(0));
  request.workers = static_cast<int>(options.workers.value_or(0));
  request.recompute = options.recompute;
  request.restarts = static_cast<std::uint64_t>(options.restarts);
  request.improve = !options.no_improve;
  request.improve_baseline = options.improve;
  request.masim_generation = options.generation == simd::Generation::paper;
  request.seed = static_cast<std::uint64_t>(options.seed);
  request.threads = static_cast<int>(options.threads);
  request.memory_limit = memory_limit(options);
  return request;
}

/// Shows the progress of the search once there is a schedule.
class Reporter final : public EngineObserver {
 public:
  explicit Reporter(const std::string& netlist) : netlist_(netlist) {}
  void round_ended(const EngineProgress& progress) override {
    if (progress.incumbent < no_cost && line_.due())
      line_.show(report::schedule_progress(netlist_, progress, seconds_since(begin_)),
                 report::progress_figures(netlist_, progress));
  }
  void end(const simd::Scheduled& run) {
    line_.clear();
    if (!run) return;
    for (const auto& milestone : run->milestones)
      line_.event(fmt::format("{}: schedule of {} copies found after {:.3f} s", netlist_, milestone.copies,
                              milestone.seconds));
    report::log_end(line_, netlist_, run.status(), static_cast<double>(run->copies));
  }

 private:
  const std::string& netlist_;
  StopSource::Clock::time_point begin_ = StopSource::Clock::now();
  io::ProgressLine line_;
};

std::string count_of(Int count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// Returns the reason for a missing schedule. Only a proof shows that none can exist.
io::Error no_schedule(const simd::Netlist& netlist, const io::RunOptions& options,
                      const simd::Scheduled& run) {
  io::Error error;
  error.where.file = options.inputs.front();
  const std::string machine = fmt::format(
      "{} of {} for {} and {}",
      options.arrays ? count_of(*options.arrays, "array") : std::string("any number of arrays"),
      count_of(options.rows, "row"), count_of(static_cast<Int>(netlist.input_names.size()), "input"),
      count_of(static_cast<Int>(netlist.gates.size()), "node"));
  const std::string_view method = simd::to_string(options.method);
  if (run.status() == Status::infeasible) {
    error.kind = io::ErrorKind::infeasible;
    error.message = fmt::format("there is no schedule on {}", machine);
  } else if (run.gave_up()) {
    error.kind = io::ErrorKind::limit;
    error.message = fmt::format("method {} found no schedule on {}, but one may exist", method, machine);
  } else {
    error.kind = io::ErrorKind::limit;
    error.message = fmt::format("method {} found no schedule on {} before it was stopped ({})", method,
                                machine, to_string(run.status()));
  }
  return error;
}

}  // namespace

io::Result<ExitStatus> schedule(const io::RunOptions& options) {
  if (options.inputs.size() != 1)
    return io::usage_error(fmt::format("expected one netlist, found {} inputs", options.inputs.size()));
  const auto energy = io::read_energies(options.settings);
  if (!energy) return energy.error();
  auto read = io::read_netlist(options.inputs.front());
  if (!read) return read.error();
  const simd::Netlist source = read->netlist;
  const simd::MappedNetlist mapped = simd::map_to_xmg(std::move(*read), map_policy(options));
  const simd::Netlist& netlist = mapped.netlist;
  Outputs outputs;
  if (!options.mapped.empty()) outputs.add(io::write_netlist(options.mapped, netlist));

  auto request = request_of(options);
  request.objective = options.schedule_objective;
  request.energy = *energy;
  request.interrupted = &watch_signals();
  request.begin = program_start();
  Reporter reporter(netlist.name);
  request.observer = &reporter;
  auto result = simd::make_schedule(netlist, request);
  reporter.end(result);
  if (result && options.no_times) {
    result->seconds = 0;
    for (auto& milestone : result->milestones) milestone.seconds = 0;
  }
  if (!result) return outputs.fail_with(no_schedule(netlist, options, result));
  const auto contract =
      report::contract_of(result->schedule, netlist, source, *energy, report::quick_random_patterns(source));
  if (!contract.fault.empty() || contract.figures[key::copies] != result->copies) {
    io::Error error;
    error.message = contract.fault.empty() ? "the search and the check disagree on the number of copies"
                                           : "the search found an invalid schedule: " + contract.fault;
    return outputs.fail_with(error);
  }

  const report::ScheduleRun run{options,
                                netlist,
                                mapped.report,
                                *result,
                                simd::figures_of(result->schedule, netlist),
                                *energy,
                                contract.figures[key::verified]};
  if (prints_tables(options) && options.output != "-") print_text(report::schedule_text(run));
  if (!options.output.empty())
    outputs.add(io::write_somewhere(options.output, io::to_text(result->schedule, netlist)));
  outputs.add(write_json_output(options, report::schedule_json(run)));
  const bool limited = result->status != Status::optimal && !result->completed && !result->effort_spent;
  return outputs.end(limited ? limited_by(to_string(result->status)) : ExitStatus::solved);
}

}  // namespace nestor::app::simd_space

// Rows of the option table for sweeps, and for workers that process the points of a sweep's store.
#include <fmt/format.h>

#include <algorithm>

#include "io/option_rows.h"

namespace nestor::io {
namespace {

constexpr auto schedulers = enum_words<Scheduler>({{Scheduler::slurm, "slurm"}});

bool consists_of(std::string_view text, std::string_view characters) {
  return text.find_first_not_of(characters) == std::string_view::npos;
}

// Accepts only names that are safe in a job script: a name cannot end its line or begin another option.
MaybeError set_partition(RunOptions& options, std::string_view text) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.,-";
  if (!consists_of(text, letters) || text.starts_with('-'))
    return usage_error("--partition has a character that no partition's name has");
  options.partition = text;
  return std::nullopt;
}
MaybeError set_job_time(RunOptions& options, std::string_view text) {
  if (!consists_of(text, "0123456789:-") || !consists_of(text.substr(0, 1), "0123456789"))
    return usage_error(fmt::format("--time is '{}', expected MINUTES, HH:MM:SS or DAYS-HH:MM:SS", text));
  options.job_time = text;
  return std::nullopt;
}
MaybeError set_job_memory(RunOptions& options, std::string_view text) {
  const auto digits = text.substr(0, text.find_last_of("0123456789") + 1);
  const auto unit = text.substr(digits.size());
  if (digits.empty() || !consists_of(digits, "0123456789") || unit.size() > 1 || !consists_of(unit, "KMGT"))
    return usage_error(
        fmt::format("--memory is '{}', expected a number with K, M, G or T, such as 4G", text));
  options.job_memory = text;
  return std::nullopt;
}

constexpr VerbSet on_sweeps = VerbSet::of(Verb::sweep);
constexpr VerbSet on_stores = VerbSet::of(Verb::sweep, Verb::work);

constexpr std::array sweep_rows = {
    Option{"store", "STORE", TextValue{&RunOptions::store},
           "Store of points and results: FILE.db, sqlite:FILE.db or postgresql://USER@HOST/DATABASE; by "
           "default, PLAN.db beside the plan",
           on_stores},
    Option{"status", "", SwitchValue{&RunOptions::sweep_status},
           "Print the progress of the plan and solve nothing", on_sweeps},
    Option{"export", "FILE", OutputValue{&RunOptions::export_to},
           "Write the plan's table as .csv or .json, one row per machine, network and run", on_sweeps},
    Option{"per-layer", "", SwitchValue{&RunOptions::per_layer}, "Export one row per layer", on_sweeps},
    Option{"pareto", "FIGURE,...", TextValue{&RunOptions::pareto_axes},
           "Mark the Pareto-optimal rows of each network in these figures: latency, energy, edp, area",
           on_sweeps},
    Option{"plot", "FILE.svg", OutputValue{&RunOptions::plot},
           "Plot the table: lines over one parameter, a heat map over two, or the figures of --pareto",
           on_sweeps},
    Option{"axes", "NAME,...", TextValue{&RunOptions::plot_axes},
           "Axes of --plot: one or two parameters of the plan, then a figure, such as axis.core.size,latency",
           on_sweeps},
    Option{"lease", "SECONDS", RealValue{&RunOptions::lease, 1, 1e9},
           "Release the point of a worker that has not answered for this many seconds", on_stores},
    Option{"points", "N", IntegerValue{&RunOptions::most_points, 1, std::numeric_limits<Int>::max()},
           "Stop after solving this many points", on_stores},
    Option{"threads", "N", IntegerValue{&RunOptions::threads, 0, 1024},
           "Points solved in parallel; 0 means one per hardware thread", on_stores, 'j'}
        .in(OptionGroup::limits),
    Option{"time-limit", "SECONDS",
           RealValue{&RunOptions::run_time_limit, 0, std::numeric_limits<double>::infinity()},
           "Stop after this many seconds; unfinished points go back to the store", on_stores}
        .in(OptionGroup::limits),
    Option{"submit", "SCHEDULER", optional_choice<&RunOptions::submit, schedulers>(),
           "Submit a job array whose tasks solve the points of the store, and solve nothing here", on_sweeps},
    Option{"tasks", "N", IntegerValue{&RunOptions::tasks, 1, 1'000'000}, "Tasks of the job array", on_sweeps}
        .in(OptionGroup::limits),
    Option{"partition", "NAME",
           CustomValue{set_partition, [](const RunOptions& options) { return options.partition; }, ""},
           "Partition of the job", on_sweeps}
        .in(OptionGroup::limits),
    Option{"time", "TIME",
           CustomValue{set_job_time, [](const RunOptions& options) { return options.job_time; }, ""},
           "Time limit of each task, such as 12:00:00; unfinished points go back to the store", on_sweeps}
        .in(OptionGroup::limits),
    Option{"memory", "SIZE",
           CustomValue{set_job_memory, [](const RunOptions& options) { return options.job_memory; }, ""},
           "Memory of each task, such as 4G", on_sweeps}
        .in(OptionGroup::limits),
    Option{"dry-run", "", SwitchValue{&RunOptions::dry_run},
           "Print the job script without submitting it or opening the store", on_sweeps}
        .in(OptionGroup::output),
};

}  // namespace

std::span<const Option> sweep_option_rows() { return sweep_rows; }

}  // namespace nestor::io

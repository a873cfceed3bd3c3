// nestor sweep and nestor work: solve plans of machines, networks and runs through a store.
#include "app/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/console.h"
#include "app/interrupt.h"
#include "app/output.h"
#include "app/verb_table.h"
#include "base/split.h"
#include "io/output_file.h"
#include "io/sha256.h"
#include "report/sweep/sweep_plot.h"
#include "report/sweep/sweep_table.h"

namespace nestor::app {
namespace {

std::string store_of(const io::RunOptions& options, const std::string& plan) {
  if (!options.store.empty()) return options.store;
  return std::filesystem::path(plan).replace_extension(".db").string();
}

// Allows a server to be unreachable for several lease durations.
io::StorePatience patience(const io::RunOptions& options) {
  constexpr double leases = 5;
  return {leases * options.lease, &watch_signals()};
}

io::Result<std::vector<std::string>> pareto_figures(const io::RunOptions& options) {
  std::vector<std::string> figures;
  for (const auto word : split_list(options.pareto_axes, ',')) {
    const auto& known = report::sweep_figures;
    if (std::find(known.begin(), known.end(), word) == known.end())
      return io::usage_error(fmt::format("--pareto has {}{}, expected latency, energy, edp or area",
                                         io::quote(word),
                                         io::suggestion(word, {known.begin(), known.end()})));
    figures.emplace_back(word);
  }
  return figures;
}

io::MaybeError write_table(const io::RunOptions& options, const std::string& plan,
                           std::vector<report::SweepRow> rows, bool with_pareto) {
  if (options.export_to.empty()) return std::nullopt;
  if (options.export_to.ends_with(".json"))
    return io::write_somewhere(options.export_to, io::to_text(report::sweep_json(plan, rows, with_pareto)));
  return io::write_somewhere(options.export_to, report::sweep_csv(rows, with_pareto));
}

io::Result<ExitStatus> report_plan(io::Store& store, const std::string& plan, const io::RunOptions& options,
                                   const std::vector<std::string>& figures) {
  constexpr std::size_t most_printed = 60;
  const auto stored = store.rows(plan);
  if (!stored) return stored.error();
  auto rows = report::sweep_rows(*stored, options.per_layer);
  if (options.no_times)
    for (auto& row : rows) row.seconds = 0;
  if (!figures.empty()) report::mark_pareto(rows, figures);
  Outputs outputs;
  outputs.add(write_table(options, plan, rows, !figures.empty()));
  if (!options.plot.empty()) {
    std::vector<std::string> axes;
    for (const auto axis : split_list(options.plot_axes, ',')) axes.emplace_back(axis);
    if (axes.empty() && figures.size() == 2) axes = figures;
    const auto picture = report::sweep_plot(plan, rows, axes);
    if (!picture) return outputs.end(picture.error());
    outputs.add(io::write_somewhere(options.plot, *picture));
  }
  const auto counts = store.counts(plan);
  if (!counts) return outputs.end(counts.error());
  if (prints_tables(options)) {
    print("{}\n{}", plan, report::sweep_text(rows, !figures.empty(), most_printed));
    print("\n{} of {} points done, {} failed, {} running, {} open\n", counts->done, counts->all(),
          counts->failed, counts->running, counts->todo);
  }
  const auto warnings = report::edp_warnings(rows);
  for (std::size_t i = 0; i < std::min(warnings.size(), most_printed); ++i) print_remark(warnings[i]);
  if (warnings.size() > most_printed)
    print_remark(fmt::format("warning: {} more mappings of least latency have a higher EDP than a baseline",
                             warnings.size() - most_printed));
  // Only programs that run the verb set options.json; on the command line, --export writes the JSON.
  if (!options.json.empty() || !options.report.empty())
    outputs.add(write_json_output(options, report::sweep_json(plan, rows, !figures.empty())));
  return outputs.end(ExitStatus::solved);
}

}  // namespace

io::Result<ExitStatus> sweep(const io::RunOptions& options, Spaces spaces) {
  if (options.inputs.size() != 1)
    return io::usage_error(fmt::format("expected one plan, found {} inputs", options.inputs.size()));
  const auto figures = pareto_figures(options);
  if (!figures) return figures.error();
  const auto plan = io::read_plan(options.inputs.front());
  if (!plan) return plan.error();
  std::string remark;
  const auto url = store_of(options, options.inputs.front());
  if (auto error = io::check_store_url(url)) return *error;
  if (options.sweep_status) {
    const auto store = io::open_store(url, io::StoreUse::existing, remark);
    if (!store) return store.error();
    return report_plan(**store, plan->name, options, *figures);
  }
  if (options.submit)
    if (auto error = check_submission(options)) return *error;
  const bool needs_area = std::find(figures->begin(), figures->end(), "area") != figures->end();
  const auto work = plan_work(*plan, spaces, needs_area);
  if (!work) return work.error();
  if (options.dry_run) return submit_workers(options, plan->name);
  const auto store = io::open_store(url, io::StoreUse::create, remark, patience(options));
  if (!store) return store.error();
  print_remark(remark);
  if (auto error =
          (*store)->add_plan({plan->name, io::sha256(plan->text), plan->text}, work->points, work->rows))
    return *error;
  if (options.submit) return submit_workers(options, plan->name);
  const auto done = work_off(**store, plan->name, options, spaces);
  if (!done) return done.error();
  auto reported = report_plan(**store, plan->name, options, *figures);
  if (!reported) return reported;
  if (done->interrupted) return limited_by("interrupted");
  if (done->out_of_time) return limited_by("time_limit");
  return reported;
}

io::Result<ExitStatus> work(const io::RunOptions& options, Spaces spaces) {
  if (!options.inputs.empty()) return io::usage_error("expected no input; --store specifies the store");
  if (options.store.empty())
    return io::usage_error("missing --store STORE (`nestor sweep PLAN.yaml` creates one)");
  std::string remark;
  const auto store = io::open_store(options.store, io::StoreUse::existing, remark, patience(options));
  if (!store) return store.error();
  print_remark(remark);
  const auto done = work_off(**store, "", options, spaces);
  if (!done) return done.error();
  if (prints_tables(options)) print("{} points solved\n", done->solved);
  if (done->interrupted) return limited_by("interrupted");
  if (done->out_of_time) return limited_by("time_limit");
  return ExitStatus::solved;
}

}  // namespace nestor::app

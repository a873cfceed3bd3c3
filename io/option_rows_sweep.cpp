// Options of sweeps, and of workers on their stores.
#include "io/option_rows.h"

namespace nestor::io {
namespace {

constexpr VerbSet on_sweeps = VerbSet::of(Verb::sweep);
constexpr VerbSet on_stores = VerbSet::of(Verb::sweep, Verb::work);

constexpr std::array table = {
    Option{
        "store", "STORE", TextValue{&RunOptions::store},
        "Where points and results are kept: FILE.db or sqlite:FILE.db; without it, PLAN.db beside the plan",
        on_stores},
    Option{"status", "", SwitchValue{&RunOptions::sweep_status}, "Solve nothing: print how far the plan is",
           on_sweeps},
    Option{"export", "FILE", OutputValue{&RunOptions::export_to},
           "Write the plan's table as .csv or .json, a row for each machine, network and run", on_sweeps},
    Option{"per-layer", "", SwitchValue{&RunOptions::per_layer}, "Export a row for each layer", on_sweeps},
    Option{
        "pareto", "FIGURE,...", TextValue{&RunOptions::pareto_axes},
        "Mark the rows that no other row of the network is better than in all of latency, energy, edp, area",
        on_sweeps},
    Option{"plot", "FILE.svg", OutputValue{&RunOptions::plot},
           "Draw the table: lines over one parameter, a heat map over two, or the figures of --pareto",
           on_sweeps},
    Option{"axes", "NAME,...", TextValue{&RunOptions::plot_axes},
           "What --plot draws: one or two parameters of the plan, then a figure, as axis.core.size,latency",
           on_sweeps},
    Option{"lease", "SECONDS", RealValue{&RunOptions::lease, 1, 1e9},
           "How long a point belongs to a worker that does not answer", on_stores},
    Option{"points", "N", IntegerValue{&RunOptions::most_points, 0, std::numeric_limits<Int>::max()},
           "Solve so many points and end; 0 means all", on_stores},
    Option{"threads", "N", IntegerValue{&RunOptions::threads, 0, 1024},
           "Points solved side by side; 0 means one per hardware thread", on_stores},
    Option{"time-limit", "SECONDS",
           RealValue{&RunOptions::run_time_limit, 0, std::numeric_limits<double>::infinity()},
           "Time for the run; points that are not finished by then go back to the store", on_stores},
};

}  // namespace

std::span<const Option> sweep_option_rows() { return table; }

}  // namespace nestor::io

// Rows of the option table for the simd space.
#include "io/option_rows.h"

namespace nestor::io {
namespace {

constexpr std::array simd_rows = {
    Option{"netlist", "FILE", TextValue{&RunOptions::netlist},
           "Netlist of the schedule: Verilog, BLIF or AIGER", VerbSet::of(Verb::verify), '\0', "simd"}
        .in(OptionGroup::input),
    Option{"remap", "", SwitchValue{&RunOptions::remap},
           "Map the netlist again even if it already consists of XOR3 and MAJ3",
           VerbSet::of(Verb::verify, Verb::schedule), '\0', "simd"}
        .planned(VerbSet::of(Verb::schedule)),
    Option{"mapped", "FILE", OutputValue{&RunOptions::mapped},
           "Write the mapped netlist, as BLIF if FILE ends in .blif, else as Verilog",
           VerbSet::of(Verb::schedule)},
    Option{"rows", "N", IntegerValue{&RunOptions::rows, 4, Int{1} << 30}, "Rows of every array",
           VerbSet::of(Verb::schedule)}
        .planned(VerbSet::of(Verb::schedule)),
    Option{"arrays", "N", IntegerValue{&RunOptions::arrays, 1, Int{1} << 20},
           "Arrays of the machine; by default, as many as useful", VerbSet::of(Verb::schedule)}
        .planned(VerbSet::of(Verb::schedule)),
    Option{"method", "METHOD", choice<&RunOptions::method, simd::schedule_methods>(), "Scheduling method",
           VerbSet::of(Verb::schedule)}
        .planned(VerbSet::of(Verb::schedule)),
    Option{"objective", "OBJECTIVE", choice<&RunOptions::schedule_objective, simd::schedule_objectives>(),
           "Objective to minimise", VerbSet::of(Verb::schedule)}
        .planned(VerbSet::of(Verb::schedule)),
    Option{"recompute", "", SwitchValue{&RunOptions::recompute},
           "Recompute a node if that costs less energy than copying it", VerbSet::of(Verb::schedule)}
        .planned(VerbSet::of(Verb::schedule)),
    Option{"time-limit", "SECONDS", RealValue{&RunOptions::time_limit, 0.0, 1e9},
           "Stop after this many seconds; method nestor plans its work for this time",
           VerbSet::of(Verb::schedule)}
        .in(OptionGroup::limits)
        .planned(VerbSet::of(Verb::schedule)),
    Option{"work-limit", "N", IntegerValue{&RunOptions::work_limit, 1, std::numeric_limits<Int>::max()},
           "Stop after this much work, the same on every machine", VerbSet::of(Verb::schedule)}
        .in(OptionGroup::limits)
        .planned(VerbSet::of(Verb::schedule)),
    Option{
        "planned-work", "N", IntegerValue{&RunOptions::planned_work, 1, std::numeric_limits<Int>::max()},
        "Work that method nestor plans for; by default, what the limits allow. To repeat a stopped run, give "
        "its work (--work-limit) and its planned work, with enough time",
        VerbSet::of(Verb::schedule)}
        .in(OptionGroup::expert)
        .planned(VerbSet::of(Verb::schedule)),
    Option{"workers", "N", IntegerValue{&RunOptions::workers, 1, 1024},
           "Parallel searches that share work and results; their number, not --threads, affects the result; "
           "by default 2 with method nestor, else 1",
           VerbSet::of(Verb::schedule)}
        .in(OptionGroup::expert)
        .planned(VerbSet::of(Verb::schedule)),
    Option{"restarts", "N", IntegerValue{&RunOptions::restarts, 0, Int{1} << 30},
           "Constructions of MASIM and the methods compared with it, and successive improvement passes "
           "without gain that end a run",
           VerbSet::of(Verb::schedule)}
        .in(OptionGroup::expert)
        .planned(VerbSet::of(Verb::schedule)),
    Option{"no-improve", "", SwitchValue{&RunOptions::no_improve}, "Skip MASIM's improvement passes",
           VerbSet::of(Verb::schedule)}
        .in(OptionGroup::expert)
        .planned(VerbSet::of(Verb::schedule)),
    Option{"improve", "", SwitchValue{&RunOptions::improve},
           "Apply MASIM's improvement passes to gppic, simpler, star and date24", VerbSet::of(Verb::schedule)}
        .in(OptionGroup::expert)
        .planned(VerbSet::of(Verb::schedule)),
    Option{"generation", "WHOSE", choice<&RunOptions::generation, simd::generations>(),
           "Generate the instructions of gppic, simpler, star and date24 greedily, as they do, or as in "
           "MASIM's paper",
           VerbSet::of(Verb::schedule)}
        .in(OptionGroup::expert)
        .planned(VerbSet::of(Verb::schedule)),
};

}  // namespace

std::span<const Option> simd_option_rows() { return simd_rows; }

}  // namespace nestor::io
